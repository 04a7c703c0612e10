// Runs the built Worker on workerd: node wasm/worker/run.mjs [port]. Prints its address as the first line.
//   BUILD   folder of the built Worker (build/worker)     ENTRY   script in it (entry.mjs)
//   PUBLIC  folder of the page (public; none: no page)    KV      folder that links last in (none: memory)
//   RATE, RATE_LINKS   requests a minute and address (0: no limit)
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Miniflare, Log, LogLevel } from 'miniflare';

const build = resolve(process.env.BUILD ?? 'build/worker');
const pages = process.env.PUBLIC ?? 'public';
const rate = (limit) => ({ simple: { limit: Number(limit), period: 60 } });
const ratelimits = {
  ...(Number(process.env.RATE) > 0 && { RATE: rate(process.env.RATE) }),
  ...(Number(process.env.RATE_LINKS) > 0 && { RATE_LINKS: rate(process.env.RATE_LINKS) }),
};

const mf = new Miniflare({
  host: '127.0.0.1', port: Number(process.argv[2] ?? 8787), cf: false, log: new Log(LogLevel.ERROR),
  rootPath: build, modules: true, modulesRoot: build, scriptPath: resolve(build, process.env.ENTRY ?? 'entry.mjs'),
  modulesRules: [{ type: 'ESModule', include: ['**/*.mjs', '**/*.js'] }, { type: 'CompiledWasm', include: ['**/*.wasm'] }],
  compatibilityDate: '2026-03-01', compatibilityFlags: ['nodejs_als'],
  kvNamespaces: { LINKS: 'keyloupe-links' }, kvPersist: process.env.KV || false,
  ratelimits,
  ...(existsSync(pages) && { assets: { directory: resolve(pages), binding: 'ASSETS', routerConfig: { has_user_worker: true, static_routing: { user_worker: ['/api/*', '/s/*', '/healthz'] } } } }),
});
console.log((await mf.ready).origin);
const stop = async () => { await mf.dispose(); process.exit(0); };
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
