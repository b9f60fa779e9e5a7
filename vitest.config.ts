import { defineConfig } from "vitest/config";

/** Tests that run programs as processes, compile large ones, wait for time limits, or repeat something for thousands of instances or log-ins. */
const endToEnd = [
  "test/{end-to-end,cli}/**/*.test.ts",
  "test/compat/{programs/programs,types/guards,types/names,types/schemas}.test.ts",
  "test/generator/commands/{bind,bundle,compile,dev,inspect,manifest,new,outdated,update,vendor}/**/*.test.ts",
  "test/generator/commands/gateway/*.test.ts",
  "test/generator/commands/{migrate/native,validate/extensions}.test.ts",
  "test/generator/pipeline/conversions/**/*.test.ts",
  "test/generator/shared/{command,schema-code,sessions}/**/*.test.ts",
  "test/generated/{corpus,issues,side-issues}.test.ts",
  "test/runtime/auth/{secrets/*,providers/many-users,thousand-users}.test.ts",
  "test/runtime/gateway/{connections,extensions,failures,http-matrix,isolation,log-in/link-attacks,log-in/log-in}.test.ts",
  "test/runtime/gateway/pinning/{compare-with-lock,gateway-lock}.test.ts",
  "test/{generated/revisions-doc,generator/pipeline/emit/shape-table,release/missing-peers}.test.ts",
  "test/runtime/{auth-proxy/backplane-proxy-store,auth-proxy/client-names,http-server/process,resolution}.test.ts",
  "test/runtime/auth/session/random-conversations.test.ts",
  "test/runtime/backplane/!(dead-listener|memory-backplane).test.ts",
  "test/conversations/{crowd,pairs,probe}.test.ts",
  "test/generator/pipeline/{passes/rename-declarations,read/json-constructs,read/typescript-constructs,write/signals}.test.ts",
  "test/runtime/{transport/suite,tasks/store/task-store-suite,stdio/stdio-client-transport,auth-proxy/log-in-pages}.test.ts",
  "test/runtime/http-client/{hostile,session-loss,streamable-http-client-transport}.test.ts",
  "test/runtime/{uri-template,auth-node/file-credential-store,auth-proxy/log-in-troubles}.test.ts",
  "test/runtime/auth-server/dpop/dpop-conversations.test.ts",
  "test/hostile/{hostile,http-scenarios}.test.ts",
  "test/{ci/processes,log-in/expired-streams,log-in/troubles}.test.ts",
  "test/runtime/{http-server/cut-streams,http-server/expired-streams,stdio/unread-output}.test.ts",
  "test/runtime/tasks/{client/call-tool,client/pushed-states,server/bad-input,server/restarts}.test.ts",
  "test/generator/commands/doctor/silent-server.test.ts",
  "test/docs/recordings.test.ts",
];
/**
 * Tests that stop the clock, inspect timers, streams, signals and reports of the process, or use libraries that replace globals. In a shared
 * process, timers of earlier files can run during a later one, and set others.
 */
const apart = [
  "test/runtime/api/{reconnector,user-callbacks}.test.ts",
  "test/runtime/auth/{discovery/fetch-document,session/waiting}.test.ts",
  "test/runtime/auth-server/{verified-tokens,verifiers/introspection-verifier,verifiers/issuer-keys}.test.ts",
  "test/runtime/backplane/{dead-listener,memory-backplane}.test.ts",
  "test/runtime/client/completion-requests.test.ts",
  "test/runtime/client/handshake/url-elicitation.test.ts",
  "test/runtime/client/stateless/{change-watcher,input-requests,late-probe}.test.ts",
  "test/runtime/frameworks/hono-on-node.test.ts",
  "test/runtime/http-client/log-in-time.test.ts",
  "test/runtime/http-server/{authorization-waiting,silent-nodes}.test.ts",
  "test/runtime/connection/{deprecation,keep-alive,memory,progress,timeout}.test.ts",
  "test/runtime/node/slow-body.test.ts",
  "test/runtime/server/input-required.test.ts",
  "test/runtime/tasks/{client/task-watch,sqlite/clock,store/memory-task-store}.test.ts",
  "test/runtime/stdio/{serve-stdio,stdio-server-transport}.test.ts",
  "test/runtime/timing/{deadline-timer,with-time-limit}.test.ts",
  "test/simulation/*.test.ts",
  "test/support/connection-double.test.ts",
];
/** Tests that need Chromium: `npm run test:log-in`. */
const inBrowser = ["test/{log-in,runtime/apps,generator/commands/{dev,gateway,inspect}}/browser/**/*.test.ts"];
/** Tests that need a Redis server: `npm run test:redis`. */
const onRedis = ["test/redis/**/*.test.ts"];
/** Conversations that also run against three nodes with Redis: `npm run test:redis`. */
const atNodes = ["test/conversations/**/*.test.ts"];
/** Conversations that do not concern HTTP. */
const notAtNodes = ["test/conversations/{closure,noisy-child,version-change}.test.ts"];
/** Excluded from all projects. The tests of `sharing` run in shared processes, so that modules such as the compiler load once. */
const never = ["**/node_modules/**", "**/fixtures/**"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Machines that run the tests can be slow.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: "test/support/own-temporary-folder.ts",
    setupFiles: "test/support/each-file.ts",
    projects: [
      {
        extends: true,
        test: {
          name: "sharing",
          include: ["test/**/*.test.ts"],
          exclude: [...endToEnd, ...apart, ...inBrowser, ...onRedis, ...never],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "apart", include: apart, exclude: never },
      },
      { extends: true, test: { name: "end to end", include: endToEnd, exclude: [...inBrowser, ...never] } },
      {
        extends: true,
        test: { name: "browser", include: inBrowser, exclude: never },
      },
      { extends: true, test: { name: "redis", include: onRedis, exclude: never } },
      {
        extends: true,
        test: {
          name: "nodes",
          include: atNodes,
          exclude: [...never, ...notAtNodes],
          isolate: false,
          provide: { nodes: 3 },
          globalSetup: "test/redis/provide-redis.ts",
        },
      },
    ],
  },
});
