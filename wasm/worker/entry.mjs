// The script the Worker starts. It goes into build/worker beside the files that workers-assets-gen
// makes, and needs the compatibility flag nodejs_als. What each way of answering is for, and what was
// tried, is in RATIONALE.md.
import { AsyncLocalStorage } from 'node:async_hooks';
import './wasm_exec.js';
import { createRuntimeContext, loadModule } from './runtime.mjs';
import perRequest from './worker.mjs'; // the module's own entry: one Go instance per request
import version from './version.mjs';

const WATCHDOG_MS = 10_000; // an instance that leaves a request open this long is dropped
const MAX_BODY = 64 * 1024; // bytes; one more is read, so that Go sees that it is too much
const MAX_DRAINED = 4 * 1024 * 1024; // bytes
const MAX_CACHED = 2 * 1024 * 1024; // bytes of an answer that is kept in the cache
const MAX_ASKED = 2000; // addresses
const MAX_STUCK = 100; // requests whose client went away before Go was done
const STUCK_MS = 30_000;

const mod = await loadModule();
const store = new AsyncLocalStorage(); // env and body of the request being served
let current;

// start starts an instance that serves many requests.
function start() {
  const go = new Go();
  const binding = {};
  const slot = { binding, dead: false, open: new Map() };
  slot.die = (why) => {
    slot.dead = true;
    drop(slot);
    for (const fail of slot.open.keys()) fail(new Error(why));
  };
  go.exit = (code) => slot.die(`go exited with code ${code}`); // os.Exit, a panic outside of a handler, a fatal error
  // A JS timer belongs to the request that happens to be current and dies with it, so the instance
  // gets none. What Go's own scavenger has to do it does at the next call.
  const { gojs } = go.importObject;
  gojs['runtime.scheduleTimeoutEvent'] = (sp) => go.mem.setInt32((sp >>> 0) + 16, 1, true);
  gojs['runtime.clearTimeoutEvent'] = () => {};
  const context = Object.defineProperties(createRuntimeContext({ binding }), {
    env: { get: () => store.getStore()?.env },
    body: { get: () => store.getStore()?.body },
    reuse: { value: true },
    version: { value: version },
  });
  let ready = false;
  const instance = new WebAssembly.Instance(mod, { ...go.importObject, workers: { ready() { ready = true; } } });
  go.run(instance, context).catch(() => {});
  if (!ready || slot.dead) throw new Error('main must reach workers.Serve without waiting');
  return slot;
}

function drop(slot) {
  if (current === slot) current = undefined;
}

// stuck tells whether too many requests never ended: their clients went away while Go waited for KV,
// and with a client goes all that would have woken Go.
function stuck(slot) {
  if (slot.open.size < MAX_STUCK) return false;
  const before = Date.now() - STUCK_MS;
  let n = 0;
  for (const since of slot.open.values()) if (since < before) n++;
  return n >= MAX_STUCK;
}

async function reuse(req) {
  if (current && stuck(current)) drop(current);
  const slot = (current ??= start());
  // Go keeps what it is given until its next collection: give it a plain view, without the body.
  const view = { url: req.url, method: req.method, headers: req.headers, body: null };
  let fail;
  const failed = new Promise((_, reject) => { fail = reject; });
  failed.catch(() => {});
  slot.open.set(fail, Date.now());
  const watchdog = setTimeout(() => {
    drop(slot);
    fail(new Error('go did not answer in time'));
  }, WATCHDOG_MS);
  try {
    let res;
    try {
      res = slot.binding.handleRequest(view);
    } catch (e) { // a trap: nothing in this instance can be trusted any more
      slot.die(`go trapped: ${e.message}`);
      throw e;
    }
    if (slot.dead) throw new Error('go exited');
    return await Promise.race([res, failed]);
  } finally {
    clearTimeout(watchdog);
    slot.open.delete(fail);
  }
}

// answer lets Go answer: the lasting instance, or one of its own where the answer is long. Only what
// the first gives is whole in memory, and may be kept.
async function answer(req, env) {
  const body = await readBody(req);
  const again = () => perRequest.fetch(new Request(req.url, { method: req.method, headers: req.headers, body }), env, { version });
  try {
    const res = await store.run({ env, body }, () => reuse(req));
    if (!res.headers.has('x-keyloupe-stream')) return { res: req.method === 'HEAD' ? new Response(null, res) : res, whole: true };
  } catch (e) {
    console.error(e.message);
    // GET and HEAD can be tried again; anything else may have half happened.
    if (req.method !== 'GET' && req.method !== 'HEAD') return { res: failure(500, 'internal', 'internal error') };
  }
  try {
    return { res: await again() };
  } catch (e) {
    console.error(e.message);
    return { res: failure(500, 'internal', 'internal error') };
  }
}

// readBody reads the body, of which Go is given one byte more than is allowed at most. Some of what is
// too much is read all the same: a client that is cut off while it sends does not see the answer.
async function readBody(req) {
  if (!req.body) return undefined;
  const parts = [];
  let size = 0;
  let kept = 0;
  const reader = req.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_DRAINED) {
      await reader.cancel();
      break;
    }
    const part = value.subarray(0, MAX_BODY + 1 - kept);
    parts.push(part);
    kept += part.length;
  }
  const body = new Uint8Array(kept);
  let at = 0;
  for (const p of parts) {
    body.set(p, at);
    at += p.length;
  }
  return body;
}

function failure(status, code, message, headers) {
  return new Response(JSON.stringify({ error: { code, field: null, message } }) + '\n', {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*', ...headers },
  });
}

// limited tells whether the client has asked too often. Making links is counted apart.
async function limited(req, env, pathname) {
  const limiter = req.method === 'POST' && pathname === '/api/links' ? env.RATE_LINKS : env.RATE;
  if (!limiter) return false;
  const { success } = await limiter.limit({ key: req.headers.get('cf-connecting-ip') ?? 'unknown' });
  return !success;
}

// cacheKey is the address that a pure result is kept under, or undefined. Results of another version
// of the program are others.
function cacheKey(req, url) {
  if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
  if (!url.pathname.startsWith('/api/')) return undefined;
  const key = new URL(url);
  key.searchParams.append('_version', version);
  return new Request(key, { method: 'GET' });
}

// asked are the addresses asked for lately. To put an answer into the cache costs more than to compute
// it, so only what is asked for again goes there.
const asked = new Map();

function repeated(address) {
  if (asked.delete(address)) return true;
  asked.set(address, true);
  if (asked.size > MAX_ASKED) asked.delete(asked.keys().next().value);
  return false;
}

// fromCache answers from the cache, with 304 where the client has the result.
async function fromCache(req, key) {
  const hit = await caches.default.match(key);
  if (!hit) return undefined;
  const etag = hit.headers.get('etag');
  const headers = new Headers(hit.headers);
  headers.delete('cf-cache-status');
  const tags = (req.headers.get('if-none-match') ?? '').split(',').map((t) => t.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(etag)) {
    headers.delete('content-type');
    headers.delete('content-length');
    return new Response(null, { status: 304, headers });
  }
  return new Response(req.method === 'HEAD' ? null : hit.body, { status: 200, headers });
}

// embed is the page in a frame of another page: the same file, but every page may frame it.
async function embed(req, env) {
  const res = await env.ASSETS.fetch(new Request(new URL('/', req.url), req));
  const headers = new Headers(res.headers);
  const policy = headers.get('content-security-policy');
  if (policy) headers.set('content-security-policy', policy.replace(/frame-ancestors [^;]*/, 'frame-ancestors *'));
  headers.delete('x-frame-options');
  return new Response(res.body, { status: res.status, headers });
}

function isService(pathname) {
  return pathname === '/api' || pathname.startsWith('/api/') || pathname.startsWith('/s/') || pathname === '/healthz';
}

export default {
  async fetch(req, env, ctx) {
    const url = new URL(req.url);
    const { pathname } = url;
    if (!isService(pathname)) {
      if (!env.ASSETS) return failure(404, 'not_found', 'there is nothing here');
      return pathname === '/embed' || pathname === '/embed/' ? embed(req, env) : env.ASSETS.fetch(req);
    }
    const key = cacheKey(req, url);
    const hit = key && await fromCache(req, key);
    if (hit) return hit;
    if (await limited(req, env, pathname)) {
      return failure(429, 'too_many_requests', 'too many requests from one address: wait a minute', { 'Retry-After': '60' });
    }
    const { res, whole } = await answer(req, env);
    if (whole && key && req.method === 'GET' && res.status === 200 && res.headers.has('etag') &&
      Number(res.headers.get('content-length')) <= MAX_CACHED && repeated(key.url)) {
      ctx.waitUntil(caches.default.put(key, res.clone()).catch((e) => console.error(e.message)));
    }
    return res;
  },
};
