import type { Step } from "./schedule.js";

/** Tests that need a browser or Redis have steps of their own. */
const vitest = "node node_modules/vitest/vitest.mjs run";
const quick = `${vitest} --project=sharing --project=apart`;
const endToEnd = `${vitest} --project="end to end"`;
const ofRuntime = "test/runtime test/conversations test/hostile";
/**
 * The tests of the project "end to end" whose result can depend on the version of Node: those of programs, and of commands that start or watch
 * programs. The step of the whole project covers the others, from schemas to code and from sources to documents.
 */
const ofPrograms = `${ofRuntime} test/cli test/compat test/generator/commands/bundle test/generator/commands/dev test/end-to-end/documents`;

/** The tests that run on each further version of Node. */
const onNodes = [
  { version: "22.23.3", name: "the runtime", tests: `${quick} --project="end to end" ${ofRuntime}` },
  { version: "24.21.0", name: "the runtime", tests: `${quick} --project="end to end" ${ofRuntime}` },
  {
    version: "26.10.0",
    name: "all quick tests and programs",
    tests: `${quick} && ${endToEnd} ${ofPrograms}`,
  },
] as const;

/** Runs a command on another version of Node. The options of this npx call are unset, because tests call npx, too. */
function onNode(version: string, command: string): string {
  return `npx --yes -p node@${version} -c 'unset npm_config_call npm_config_package; node --version && ${command}'`;
}

/** Downloads the versions of Node, so that the steps that run alone do not wait for the network. */
const installNodes: Step = {
  name: "Node 22, 24 and 26",
  command: onNodes.map(({ version }) => onNode(version, "true")).join(" && "),
};

/** Installs a package of Debian, unless one of its commands is there or the user is not root. */
function install(name: string, ...commands: readonly string[]): string {
  return `command -v ${commands.join(" ")} || [ "$(id -u)" != 0 ] || {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name} >/dev/null
}`;
}

/** Packages of Debian are installed one after the other. */
const installPackages = [
  install("chromium", "chromium", "chromium-browser", "google-chrome"),
  install("redis-server", "redis-server"),
].join("\n");

/** The steps, in the order in which they start when they can: steps that others need and long steps are first. */
export const steps: readonly Step[] = [
  { name: "types", command: "npm run --silent typecheck" },
  { name: "Chromium and Redis", command: installPackages },
  installNodes,
  { name: "build", command: "npm run build", needs: ["types"] },
  { name: "other clients and servers", command: "npm run --silent interop", needs: ["build", "Chromium and Redis"] },
  { name: "lint", command: "npm run --silent lint", needs: ["types"] },
  {
    name: "projects of mcpwright new: installed, tested, inspected",
    command: "npm run --silent test:skeletons",
    needs: ["other clients and servers", "Chromium and Redis"],
  },
  {
    name: "hosts: Node, Bun, Deno, workerd and Chromium",
    command: "npm run --silent test:hosts",
    needs: ["build", "Chromium and Redis"],
  },
  {
    // The official library for apps is among the peers that the other step installs.
    name: "log-ins with a real authorization server, and apps, in Chromium",
    command: "npm run --silent test:log-in",
    needs: ["other clients and servers"],
  },
  {
    name: "Redis: backplane, tasks, OAuth proxy, and conversations with three nodes",
    command: "npm run --silent test:redis",
    needs: ["build", "Chromium and Redis"],
  },
  {
    name: "official conformance suite",
    command: "npm run --silent conformance -- --nodes 3 --gateway stdio --gateway http",
    needs: ["build", "Chromium and Redis"],
  },
  {
    name: "a typed client for the reference server, and servers from public OpenAPI descriptions",
    command: "npm run --silent bind:everything && npm run --silent test:openapi -- --few",
    needs: ["other clients and servers"],
  },
  {
    name: "published servers on the API of the official SDK",
    command: "npm run --silent compat:servers",
    needs: ["build"],
  },
  {
    name: "declarations with other compilers",
    command: "npm run --silent test:compilers",
    needs: ["build"],
  },
  {
    name: "packages and the other checks of a release",
    command: "npm run --silent release -- --dry-run",
    needs: ["build"],
  },
  {
    name: "simulation: 2,000 seeds",
    command: "npm run --silent simulate -- --seeds 2000",
    needs: ["build"],
  },
  {
    name: "HTML reports of mcpwright diff in Chromium",
    command: "npm run --silent test:pages",
    needs: ["Chromium and Redis"],
  },
  {
    name: "site of the documentation in Chromium",
    command: "npm run --silent test:site",
    needs: ["Chromium and Redis"],
  },
  {
    name: "predicates and ajv on a million instances",
    command: "npm run --silent differential",
    needs: ["build"],
  },
  { name: "generated code is up to date", command: "npm run --silent generate -- --check" },
  { name: "format", command: "npm run --silent format:check" },
  { name: "prose", command: "npm run --silent lint:prose" },

  // Faults are injected at fixed times, and memory is measured: other steps would change the results.
  {
    name: "soak: half a minute of concurrent clients and faults",
    command: "npm run --silent soak -- --minutes 0.4 --intensity low",
    needs: ["build"],
    alone: true,
  },
  {
    name: "chaos: nodes and Redis are killed while clients call",
    command: "npm run --silent chaos -- --minutes 0.1 --clients 40 --seed 1",
    needs: ["build", "Chromium and Redis"],
    alone: true,
  },
  // Vitest uses both cores, and some tests measure time. Tests also write files below test/, which lint and format would read.
  ...onNodes.map(({ version, name, tests }) => ({
    name: `${name} on Node ${version}`,
    command: onNode(version, tests),
    needs: ["build", installNodes.name],
    alone: true,
  })),
  {
    name: "end to end: official inputs, compile matrix, invalid input",
    command: "npm run --silent test:end-to-end",
    needs: ["build"],
    alone: true,
  },
];
