'use strict';
// Two elements for pages of others:
//   <script src="https://keyloupe.example/embed.js" async></script>
//   <keyloupe-demo servers="9.0.6,9.1.2" run="SET user:1 Alice" key="user:1"><img src="…/api/layout.svg?…" alt="…"></keyloupe-demo>
//   <keyloupe-sweep key="16" value="0..200" servers="9.0.6,9.1.2"><img src="…/api/sweep.svg?…" alt="…"></keyloupe-sweep>
// What stands inside is shown where no script runs. With scripts the picture is shown until the live page in a frame
// takes its place, and stays where the page's policy allows no frame. theme="light" or "dark" overrides the reader's;
// height="420" sets the frame's height in pixels; picture shows the picture alone.
(() => {
  const base = new URL('.', document.currentScript.src);
  const common = ['servers', 'theme', 'height', 'picture'];
  const sweepFields = ['type', 'key', 'value', 'field', 'fields', 'ttl', 'history', 'keys', 'servers', 'value_kind', 'hash_seed', 'hash_seed_hex'];

  class Embed extends HTMLElement {
    connectedCallback() {
      this.fallback ??= [...this.childNodes]; // what the author put inside
      this.show();
    }

    disconnectedCallback() {
      document.removeEventListener('securitypolicyviolation', this.blocked);
    }

    attributeChangedCallback() {
      if (this.fallback) this.show();
    }

    // show draws the picture and, unless only that is wanted, begins to load the frame.
    show() {
      this.style.display = 'block';
      const { picture, page, title } = this.addresses();
      const image = document.createElement('img');
      image.src = picture;
      image.alt = title;
      image.style.maxWidth = '100%';
      image.style.height = 'auto';
      image.addEventListener('error', () => this.replaceChildren(...this.fallback));
      this.replaceChildren(image);
      document.removeEventListener('securitypolicyviolation', this.blocked);
      if (!this.hasAttribute('picture')) this.load(page, title);
    }

    load(page, title) {
      const frame = document.createElement('iframe');
      frame.src = page;
      frame.title = title;
      frame.loading = 'lazy';
      frame.allow = 'clipboard-write';
      frame.style.cssText = 'width:100%;border:0;display:block';
      frame.style.height = `${Math.min(Math.max(Number(this.getAttribute('height')) || 460, 120), 4000)}px`;
      // The page's own policy may forbid the frame: then the picture stays.
      this.blocked = (e) => {
        if (!/^(frame|child|default)-src/.test(e.effectiveDirective) || !page.startsWith(e.blockedURI.replace(/\/$/, ''))) return;
        frame.remove();
        this.firstChild.hidden = false;
      };
      document.addEventListener('securitypolicyviolation', this.blocked);
      frame.addEventListener('load', () => {
        if (frame.isConnected && this.firstChild !== frame) this.firstChild.hidden = true;
      });
      this.append(frame);
    }

    // query is name=value pairs as they stand in an address.
    query(pairs) {
      return pairs.filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    }

    theme() {
      const theme = this.getAttribute('theme');
      return theme === 'light' || theme === 'dark' ? theme : null;
    }
  }

  customElements.define('keyloupe-demo', class extends Embed {
    static observedAttributes = [...common, 'run', 'key'];

    addresses() {
      const lines = (this.getAttribute('run') ?? '').split('\n').map((l) => l.trim()).filter(Boolean);
      const state = [['s', this.getAttribute('servers')], ...lines.map((l) => ['run', l]), ['key', this.getAttribute('key')]];
      const theme = [['theme', this.theme()]];
      return {
        picture: new URL(`api/layout.svg?${this.query([...state, ...theme])}`, base).href,
        page: new URL(`embed#v=1&${this.query([...state, ['ro', '1'], ...theme])}`, base).href,
        title: `Valkey's memory, byte by byte: ${lines.at(-1) ?? ''}`,
      };
    }
  });

  customElements.define('keyloupe-sweep', class extends Embed {
    static observedAttributes = [...common, ...sweepFields];

    addresses() {
      const spec = this.query(sweepFields.map((name) => [name, this.getAttribute(name)]));
      const theme = this.query([['theme', this.theme()]]);
      return {
        picture: new URL(`api/sweep.svg?${[spec, theme].filter(Boolean).join('&')}`, base).href,
        page: new URL(`embed#v=1&${[`sweep=${encodeURIComponent(spec)}`, 'ro=1', theme].filter(Boolean).join('&')}`, base).href,
        title: `What keys cost in Valkey ${this.getAttribute('servers') ?? ''}`.trim(),
      };
    }
  });
})();
