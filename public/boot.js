'use strict';
// Starts the page. app.wasm is compiled once: it runs here as the page, and the page posts it to a Web Worker as the engine.
// A page that shows the servers of `keyloupe resp --http` sends its calls to them; answer gets status 0 where there is none.
const call = (url, body, id, answer) => {
  const stop = new AbortController();
  fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/octet-stream' }, cache: 'no-store', signal: stop.signal })
    .then(async (r) => [r.status, new Uint8Array(await r.arrayBuffer())])
    .then(([status, data]) => answer(id, status, data), () => answer(id, 0, null));
  return stop;
};
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
    globalThis.keyloupe = { module, call };
    const go = new Go();
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await go.run(instance);
    fail('The page stopped because of a fault in it. Reload to go on: your history and the address of this page are kept.');
  } catch (err) {
    fail('The simulator could not be started.', String(err));
  }
})();
