'use strict';
// Runs the module that the page posts as the engine, and tells the page if it ends.
importScripts('wasm_exec.js');
self.addEventListener('message', async (e) => {
  let why = 'its program ended';
  try {
    const go = new Go();
    await go.run(await WebAssembly.instantiate(e.data, go.importObject));
  } catch (err) {
    why = String(err);
  }
  self.postMessage({ ended: why });
}, { once: true });
