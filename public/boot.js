'use strict';
// Starts the page. app.wasm is compiled once: it runs here as the page, and the page posts it to a Web Worker as the engine.
(async () => {
  const app = document.getElementById('app');
  const fail = (text, detail) => {
    const box = document.createElement('div');
    box.className = 'boot';
    box.setAttribute('role', 'alert');
    for (const [name, words] of [['logo', 'keyloupe'], ['', text], ['detail', detail || '']]) {
      if (!words) continue;
      const p = document.createElement('p');
      p.className = name;
      p.textContent = words;
      box.append(p);
    }
    app.replaceChildren(box);
  };
  if (typeof WebAssembly !== 'object' || typeof WebAssembly.instantiate !== 'function' || typeof Worker !== 'function') {
    fail('This browser cannot run WebAssembly in a Web Worker, which the simulator is made of. A current Firefox, Chrome, Edge or Safari can.');
    return;
  }
  try {
    const response = await fetch('app.wasm');
    if (!response.ok) throw new Error(`app.wasm: the server answered ${response.status}`);
    const typed = (response.headers.get('Content-Type') || '').startsWith('application/wasm');
    const module = typed ? await WebAssembly.compileStreaming(response) : await WebAssembly.compile(await response.arrayBuffer());
    globalThis.keyloupe = { module };
    const go = new Go();
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await go.run(instance);
    fail('The page stopped because of a fault in it. Reload to go on: your history and the address of this page are kept.');
  } catch (err) {
    fail('The simulator could not be started.', String(err));
  }
})();
