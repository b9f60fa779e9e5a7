import type { Step } from "./schedule.js";

const vitest = "node node_modules/vitest/vitest.mjs run";
const ofRuntime = "test/runtime test/conversations test/hostile";

/** On another version of Node. Tests call npx, too, which would read the options of this call from the environment. */
function onNode(version: string, command: string): string {
  return `npx --yes -p node@${version} -c 'unset npm_config_call npm_config_package; node --version && ${command}'`;
}

const nodes = ["22.23.3", "24.21.0", "26.10.0"] as const;

/** Waits for the network, so that the tests on them do not. */
const installNodes: Step = {
  name: "Node 22, 24 and 26",
  command: nodes.map((version) => onNode(version, "true")).join(" && "),
};

/** Debian's, where there is none. */
const installChromium = `command -v chromium chromium-browser google-chrome || [ "$(id -u)" != 0 ] || {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null
}`;

/** Each begins as early as it can: those that others need, or that take long, stand first. */
export const steps: readonly Step[] = [
  { name: "types", command: "npm run --silent typecheck" },
  { name: "Chromium", command: installChromium },
  installNodes,
  { name: "build", command: "npm run build", needs: ["types"] },
  { name: "clients and servers of others", command: "npm run --silent interop", needs: ["build"] },
  { name: "lint", command: "npm run --silent lint", needs: ["types"] },
  {
    name: "projects that new makes: installed, tested, inspected",
    command: "npm run --silent test:skeletons",
    needs: ["clients and servers of others"],
  },
  {
    name: "the same behaviours on Node, Bun, Deno, workerd and Chromium",
    command: "npm run --silent test:hosts",
    needs: ["build", "Chromium"],
  },
  { name: "official conformance suite", command: "npm run --silent conformance", needs: ["build"] },
  {
    name: "a typed client for the reference server, in one command",
    command: "npm run --silent bind:everything",
    needs: ["clients and servers of others"],
  },
  {
    name: "the declarations, under the compilers of users",
    command: "npm run --silent test:compilers",
    needs: ["build"],
  },
  {
    name: "packages, and everything that a release needs",
    command: "npm run --silent release -- --dry-run",
    needs: ["build"],
  },
  { name: "the pages of mcpwright diff, in Chromium", command: "npm run --silent test:pages", needs: ["Chromium"] },
  {
    name: "a million instances, judged by predicate and ajv",
    command: "npm run --silent differential",
    needs: ["build"],
  },
  { name: "generated code is current", command: "npm run --silent generate -- --check" },
  { name: "format", command: "npm run --silent format:check" },

  // Faults come at set times, and memory is compared: load from elsewhere would be measured, too.
  {
    name: "soak: half a minute of all clients at once, and of faults",
    command: "npm run --silent soak -- --minutes 0.4 --intensity low",
    needs: ["build"],
    alone: true,
  },
  // Vitest uses both cores, and some tests wait for a time; tests also write below test/, where lint and format would meet it.
  ...nodes.map((version) => ({
    name: `${version === nodes.at(-1) ? "all tests" : "the runtime"} on Node ${version}`,
    command: onNode(version, version === nodes.at(-1) ? vitest : `${vitest} ${ofRuntime}`),
    needs: ["build", installNodes.name],
    alone: true,
  })),
  {
    name: "end to end: official inputs, compile matrix, bad input",
    command: "npm run --silent test:end-to-end",
    needs: ["build"],
    alone: true,
  },
];
