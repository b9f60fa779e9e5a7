/** The files that the host of the repository reads: workflows, issue forms and the pull-request template. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../support/typecheck.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const yaml = (path: string): unknown => parse(read(path), { strict: true, uniqueKeys: true });
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly name: string;
  readonly "runs-on": string;
  readonly "timeout-minutes": number;
  readonly needs?: string;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = readdirSync(join(root, ".github/workflows")).map((name) => `.github/workflows/${name}`);

describe.each(workflows)("%s", (path) => {
  const text = read(path);
  const workflow = yaml(path) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test("has the members that the host knows", () => {
    const known = ["name", "on", "permissions", "concurrency", "env", "jobs"];
    expect(Object.keys(workflow).filter((key) => !known.includes(key))).toEqual([]);
    const ofJobs = ["name", "runs-on", "timeout-minutes", "needs", "strategy", "steps"];
    expect(jobs.flatMap((job) => Object.keys(job)).filter((key) => !ofJobs.includes(key))).toEqual([]);
    const ofSteps = ["name", "uses", "run", "with"];
    expect(steps.flatMap((step) => Object.keys(step)).filter((key) => !ofSteps.includes(key))).toEqual([]);
    for (const step of steps) expect([step.uses, step.run].filter((one) => one !== undefined)).toHaveLength(1);
    for (const { needs } of jobs) if (needs !== undefined) expect(Object.keys(workflow.jobs)).toContain(needs);
    for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });

  test("may only read the repository, and pull requests of strangers get no secrets", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    expect(text).not.toContain("secrets.");
    for (const { uses = "", with: inputs } of steps)
      if (uses.startsWith("actions/checkout@")) expect(inputs).toEqual({ "persist-credentials": false });
  });

  test("pins actions to the commits of the workflow for projects", () => {
    const pinned = (from: string) => new Set([...from.matchAll(/uses: (\S+ # \S+)/g)].map(([, action]) => action));
    expect(pinned(text)).toEqual(pinned(read("templates/workflows/mcpwright-outdated.yml")));
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  });

  test("runs scripts and files that exist, and inserts no expression into a script", () => {
    const commands = steps.flatMap(({ run = "" }) => run.split("\n")).filter((line) => line !== "");
    for (const command of commands) {
      expect(command).not.toContain("${{");
      const script = /^npm (?:run ([\w:-]+)|(test))\b/.exec(command);
      if (script) expect(Object.keys(scripts)).toContain(script[1] ?? script[2]);
      else if (command.startsWith(".")) expect(statSync(join(root, command)).mode & 0o111).not.toBe(0);
      else expect(command).toMatch(/^(?:npm ci|sudo apt-get (?:update|install) .*)$/);
    }
  });

  test("uses only values of its matrix", () => {
    for (const job of jobs) {
      const used = [...JSON.stringify(job).matchAll(/\$\{\{ matrix\.(\w+) \}\}/g)].map(([, name]) => name);
      expect(new Set(used)).toEqual(new Set(Object.keys(job.strategy?.matrix ?? {})));
    }
  });
});

test("CI tests the systems and versions of Node that the policy states", () => {
  const { jobs } = yaml(".github/workflows/ci.yml") as Workflow;
  const { os, node = [] } = jobs["test"]?.strategy?.matrix ?? {};
  expect(os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  expect(node).toEqual(["20", "22", "24", "26"]);
  const policy = read("docs/versioning.md");
  for (const version of node) expect(policy).toMatch(new RegExp(`Node[^.]*\\b${version}\\b`));
});

const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE"))
  .filter((name) => name !== "config.yml")
  .map((name) => `.github/ISSUE_TEMPLATE/${name}`);

interface Element {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly label?: string;
    readonly options?: readonly string[];
  };
  readonly validations?: { readonly required: boolean };
}

/** The attributes of an element of a form (GitHub, "Syntax for GitHub's form schema"). */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  markdown: ["value"],
  textarea: ["label", "description", "placeholder", "value", "render"],
  input: ["label", "description", "placeholder", "value"],
  dropdown: ["label", "description", "multiple", "options", "default"],
};

describe.each(forms)("%s", (path) => {
  const form = yaml(path) as Readonly<Record<string, unknown>> & { readonly body: readonly Element[] };

  test("is a form", () => {
    expect(Object.keys(form)).toEqual(["name", "description", "labels", "body"]);
    const fields = form.body.filter(({ type }) => type !== "markdown");
    expect(fields.length).toBeGreaterThan(0);
    for (const { type, attributes, ...rest } of form.body) {
      expect(Object.keys(attributesOf)).toContain(type);
      expect(Object.keys(attributes).filter((key) => !attributesOf[type]?.includes(key))).toEqual([]);
      expect(
        Object.keys(rest).filter((key) => !(type === "markdown" ? [] : ["id", "validations"]).includes(key)),
      ).toEqual([]);
    }
    for (const { id, attributes } of fields) {
      expect(id).toMatch(/^[\w-]+$/);
      expect(attributes.label).toBeTruthy();
      const options = attributes.options ?? [];
      expect(new Set(options).size).toBe(options.length);
      // Values such as dates and numbers are strings only with quotes.
      for (const option of options) expect(typeof option).toBe("string");
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(new Set(fields.map(({ attributes }) => attributes.label)).size).toBe(fields.length);
  });

  test("its links lead to files", () => {
    for (const [, target = ""] of read(path).matchAll(/\]\(\.\.\/blob\/main\/([^)#]+)/g))
      expect(existsSync(join(root, target)), target).toBe(true);
  });
});

test("the form for bugs names every revision", () => {
  const { body } = yaml(".github/ISSUE_TEMPLATE/bug.yml") as { readonly body: readonly Element[] };
  const options = body.find(({ id }) => id === "revision")?.attributes.options ?? [];
  const revisions = readdirSync(join(root, "schema")).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name));
  expect(options.filter((option) => /^\d/.test(option))).toEqual(revisions.sort().reverse());
});

test("labels are those of the official SDK tiers", () => {
  const labels = forms.flatMap((path) => (yaml(path) as { readonly labels: readonly string[] }).labels);
  expect(labels.sort()).toEqual(["bug", "enhancement", "question"]);
});

test("the pull-request template names scripts and files that exist", () => {
  const text = read(".github/pull_request_template.md");
  for (const [, script = ""] of text.matchAll(/`npm (?:run )?([\w:]+)`/g))
    expect(Object.keys(scripts)).toContain(script);
  for (const [, path = ""] of text.matchAll(/`([\w/]+(?:\.md|\/))`/g))
    expect(existsSync(join(root, path)), path).toBe(true);
});
