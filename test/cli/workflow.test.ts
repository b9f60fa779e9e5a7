/** The workflow that opens pull requests: its structure, and its scripts, which run with stand-ins for GitHub and npm. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { printVendorPins } from "../../generator/commands/vendor/vendor-pin.js";
import { packageRoot } from "../../generator/shared/package-root.js";
import { officialText, pinsOf, serve, unseen, unseenText } from "../generator/commands/vendor/upstream.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { commandLine, exitCode, root } from "./command-line.js";

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>> & {
    readonly workflow_call: { readonly inputs: Readonly<Record<string, { readonly default: string }>> };
  };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: {
    readonly outdated: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
  };
}

const text = readFileSync(join(root, "templates/workflows/mcpwright-outdated.yml"), "utf8");
const workflow = parse(text, { strict: true, uniqueKeys: true }) as Workflow;
const { env: jobEnv, steps } = workflow.jobs.outdated;
const newest = "2026-07-28";

describe("its structure", () => {
  test("it runs on a schedule, by hand, and when another workflow calls it", () => {
    expect(Object.keys(workflow.on)).toEqual(["schedule", "workflow_dispatch", "workflow_call"]);
    expect(workflow.permissions).toEqual({ contents: "write", "pull-requests": "write" });
  });

  test("each input is used, with the same default for runs without inputs", () => {
    for (const [name, input] of Object.entries(workflow.on.workflow_call.inputs))
      expect(text).toContain(`\${{ inputs.${name} || '${input.default}' }}`);
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(workflow.on.workflow_call.inputs).sort());
  });

  test("actions are pinned to commits, and the token is not kept where installed packages find it", () => {
    const used = steps.filter(({ uses }) => uses !== undefined);
    expect(used).toHaveLength(2);
    for (const { uses } of used) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    expect(used[0]).toMatchObject({ with: { "persist-credentials": false } });
  });

  test("scripts contain no expressions, which would be inserted as code", () => {
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  });

  test("steps that change something run only if something is newer", () => {
    const at = steps.findIndex(({ id }) => id === "outdated");
    for (const step of steps.slice(at + 1)) expect(step.if).toBe("steps.outdated.outputs.newer == '1'");
  });

  test("the guide names the file and its inputs", () => {
    const guide = readFileSync(join(root, "docs/guide/stay-current.md"), "utf8");
    expect(guide).toContain("node_modules/mcpwright/templates/workflows/mcpwright-outdated.yml");
    for (const name of Object.keys(workflow.on.workflow_call.inputs)) expect(guide).toContain(`\`${name}\``);
  });
});

let replies: Readonly<Record<string, string>> = {};
const url = await serve(({ url: path = "" }, response) => {
  const [, body] = Object.entries(replies).find(([end]) => path.endsWith(end)) ?? [];
  response.writeHead(body === undefined ? 404 : 200).end(body);
});

const hasShell = ["bash", "git"].every((name) => spawnSync(name, ["--version"]).status === 0);

describe.skipIf(!hasShell || process.platform === "win32")("its scripts", { timeout: 300_000 }, () => {
  const published = (...names: readonly string[]): string =>
    JSON.stringify(names.map((name) => ({ name, type: "dir" })));
  let place: string;
  let project: string;

  beforeEach(() => {
    place = sandbox();
    project = join(place, "project");
    replies = {
      "/contents/schema?ref=main": published(newest),
      [`/${newest}/schema.ts`]: officialText(newest),
      [`/${unseen}/schema.ts`]: unseenText,
      "/mcpwright/latest": JSON.stringify({ version: packageRoot().version }),
    };
    mkdirSync(join(place, "temporary"));
    put(project, {
      "package.json": JSON.stringify({ private: true, devDependencies: { mcpwright: "*" } }),
      "schema/pins.json": printVendorPins(pinsOf(newest)),
      ".gitignore": "node_modules\n",
      "node_modules/mcpwright/package.json": JSON.stringify({ version: packageRoot().version }),
    });
    const program = commandLine([], "bundle").map((word) => `'${word}'`);
    command("npx", `shift 2; exec ${program.join(" ")} "$@"`);
    // What they are asked for; the answer of gh is a number that the test writes.
    command("npm", `echo "npm $*" >> '${place}/asked'`);
    command("gh", `echo "gh $*" >> '${place}/asked'; [ "$2" != list ] || cat '${place}/number' 2>/dev/null || true`);
    git("init", "--quiet", "--bare", join(place, "remote"));
    git("init", "--quiet", "--initial-branch", "main");
    git("remote", "add", "origin", join(place, "remote"));
    git("add", "--all");
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "start");
  });

  function command(name: string, script: string): void {
    mkdirSync(join(place, "bin"), { recursive: true });
    writeFileSync(join(place, "bin", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(place, "bin", name), 0o755);
  }

  function git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd: existsSync(project) ? project : place,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, expect.anything()]);
    return stdout;
  }

  /** Runs the scripts of the steps as a runner does, and returns the exit code of the first that fails. */
  async function runSteps(): Promise<number | null> {
    const defaults = Object.entries(jobEnv).map(([name, value]) => [name, /'([^']+)' \}\}$/.exec(value)?.[1] ?? value]);
    const env = {
      ...process.env,
      ...(Object.fromEntries(defaults) as Record<string, string>),
      PATH: `${join(place, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
      RUNNER_TEMP: join(place, "temporary"),
      GITHUB_OUTPUT: join(place, "output"),
      GITHUB_STEP_SUMMARY: join(place, "summary"),
      HOME: place,
      STAND_IN: url,
      NODE_OPTIONS: `--import ${pathToFileURL(join(root, "test/cli/fixtures/stand-in-network.mjs")).href}`,
    };
    for (const name of ["output", "summary"]) rmSync(join(place, name), { force: true });
    for (const { run, if: condition } of steps) {
      if (run === undefined || run === "npm ci") continue;
      if (condition !== undefined && read("output").trim() !== "newer=1") continue;
      const script = join(place, "script.sh");
      writeFileSync(script, run);
      // The shell of runners.
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
        cwd: project,
        env,
        stdio: "ignore",
      });
      const code = await exitCode(child);
      if (code !== 0) return code;
    }
    return 0;
  }

  function read(name: string): string {
    return existsSync(join(place, name)) ? readFileSync(join(place, name), "utf8") : "";
  }

  test("do nothing when everything is current", async () => {
    expect(await runSteps()).toBe(0);
    expect(read("output")).toBe("newer=0\n");
    expect(read("asked")).toBe("");
  });

  test("fail when it cannot be found out", async () => {
    replies = {};
    expect(await runSteps()).toBe(4);
    expect(read("asked")).toBe("");
  });

  test("push a newer revision with its code, and open a pull request with the report", async () => {
    replies = { ...replies, "/contents/schema?ref=main": published(newest, unseen) };
    expect(await runSteps()).toBe(0);
    const files = git("ls-tree", "-r", "--name-only", "origin/mcpwright-outdated").split("\n");
    expect(files).toEqual(
      expect.arrayContaining([`schema/${unseen}/schema.ts`, "schema/pins.json", `generated/${unseen}/types.ts`]),
    );
    expect(files.filter((file) => !/^(schema|generated)\/|^package\.json$|^\.gitignore$|^$/.test(file))).toEqual([]);
    const body = read("temporary/body.md");
    expect(body).toContain(`- revision ${unseen}: \`mcpwright vendor ${unseen}\`\n`);
    expect(body).toContain("capability-unstated");
    expect(body).toMatch(/ListGreetingsRequest|greetings\/list/);
    expect(read("summary")).toBe(body);
    const [login, list, create] = read("asked").split("\n");
    expect([login, list]).toEqual(["gh auth setup-git", expect.stringMatching(/^gh pr list /)]);
    expect(create).toMatch(/^gh pr create --head mcpwright-outdated --title .* --body-file /);

    // The next week, the pull request is open, and gets the new state.
    writeFileSync(join(place, "number"), "7\n");
    git("switch", "--quiet", "main");
    expect(await runSteps()).toBe(0);
    expect(read("asked")).toContain("\ngh pr edit 7 --body-file ");
  });

  test("install newer packages together, and generate again from vendored schemas", async () => {
    const version = JSON.stringify({ version: "99.0.0" });
    replies = { ...replies, "/mcpwright/latest": version, "/@mcpwright%2fruntime/latest": version };
    put(project, {
      [`schema/${newest}/schema.ts`]: officialText(newest),
      "package.json": JSON.stringify({ dependencies: { "@mcpwright/runtime": "*", mcpwright: "*" } }),
      "node_modules/@mcpwright/runtime/package.json": JSON.stringify({ version: packageRoot().version }),
    });
    expect(await runSteps()).toBe(0);
    expect(read("asked").split("\n")[0]).toBe("npm install mcpwright@99.0.0 @mcpwright/runtime@99.0.0");
    expect(git("ls-tree", "-r", "--name-only", "origin/mcpwright-outdated")).toContain(`generated/${newest}/types.ts`);
    expect(read("temporary/body.md")).toContain("- package mcpwright: `npm install mcpwright@99.0.0`\n");
  });
});
