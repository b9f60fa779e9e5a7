import { expect, test } from "vitest";
import { type Ended, runSteps, select, type Step } from "../../scripts/ci/schedule.js";
import { steps as ofProject } from "../../scripts/ci/steps.js";
import { stepTable } from "../../scripts/ci/table.js";

const passed: Ended = { passed: true, output: "", cpuSeconds: 1.6 };
const failed: Ended = { passed: false, output: "why", cpuSeconds: 0 };

/** Ends steps on demand, and records the events. */
class Stage {
  readonly events: string[] = [];
  isStopping = false;
  readonly #ends = new Map<string, (ended: Ended) => void>();

  run(...steps: readonly Partial<Step>[]): ReturnType<typeof runSteps> {
    return runSteps(
      steps.map((step) => ({ name: "", command: "", ...step })),
      {
        start: ({ name }) => ({
          ended: new Promise((resolve) => this.#ends.set(name, resolve)),
          abort: () => Promise.resolve(),
        }),
        isStopping: () => this.isStopping,
        began: ({ name }) => void this.events.push(`begin ${name}`),
        ended: (outcome) => void this.events.push(`${outcome.passed ? "pass" : "fail"} ${outcome.step.name}`),
      },
    );
  }

  /** @returns the events since the last call */
  async end(name: string, ended = passed): Promise<readonly string[]> {
    this.#ends.get(name)?.(ended);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return this.take();
  }

  take(): readonly string[] {
    return this.events.splice(0);
  }
}

test("runs two steps at a time, in their order", async () => {
  const stage = new Stage();
  const outcomes = stage.run({ name: "a" }, { name: "b" }, { name: "c" });
  expect(stage.take()).toEqual(["begin a", "begin b"]);
  expect(await stage.end("b")).toEqual(["pass b", "begin c"]);
  expect(await stage.end("c")).toEqual(["pass c"]);
  expect(await stage.end("a")).toEqual(["pass a"]);
  expect((await outcomes).map(({ step }) => step.name)).toEqual(["b", "c", "a"]);
});

test("starts a step after those that it needs, and others before it", async () => {
  const stage = new Stage();
  void stage.run({ name: "a" }, { name: "b", needs: ["a"] }, { name: "c" }, { name: "d" });
  expect(stage.take()).toEqual(["begin a", "begin c"]);
  expect(await stage.end("c")).toEqual(["pass c", "begin d"]);
  expect(await stage.end("a")).toEqual(["pass a", "begin b"]);
});

test("runs no other step at the same time as one that runs alone", async () => {
  const stage = new Stage();
  void stage.run(
    { name: "a" },
    { name: "b", alone: true },
    { name: "c" },
    { name: "d", needs: ["c"] },
    { name: "e", needs: ["b"] },
  );
  expect(stage.take()).toEqual(["begin a", "begin c"]);
  expect(await stage.end("a")).toEqual(["pass a"]);
  expect(await stage.end("c")).toEqual(["pass c", "begin b"]);
  expect(await stage.end("b")).toEqual(["pass b", "begin d", "begin e"]);
});

test("starts no step that needs one that failed, and goes on with the others", async () => {
  const stage = new Stage();
  const outcomes = stage.run({ name: "a" }, { name: "b" }, { name: "c", needs: ["a"] }, { name: "d", needs: ["b"] });
  stage.take();
  expect(await stage.end("a", failed)).toEqual(["fail a"]);
  expect(await stage.end("b")).toEqual(["pass b", "begin d"]);
  expect(await stage.end("d")).toEqual(["pass d"]);
  expect((await outcomes).map(({ step, output }) => `${step.name} ${output}`)).toEqual(["a why", "b ", "d "]);
});

test("starts no step after an interruption", async () => {
  const stage = new Stage();
  const outcomes = stage.run({ name: "a" }, { name: "b" }, { name: "c" });
  stage.take();
  stage.isStopping = true;
  expect([await stage.end("a", failed), await stage.end("b", failed)]).toEqual([["fail a"], ["fail b"]]);
  expect(await outcomes).toHaveLength(2);
});

test.each([
  [[{ name: "a", needs: ["b"] }, { name: "b" }], 'the step "a" needs "b", which is not a step before it'],
  [[{ name: "a" }, { name: "a" }], 'two steps are named "a"'],
])("rejects steps that cannot run: %j", async (steps, message) => {
  await expect(new Stage().run(...steps)).rejects.toThrow(message);
});

test("selects steps by words of their names", () => {
  const all = [
    { name: "types", command: "1" },
    { name: "build", command: "2", needs: ["types"] },
    { name: "lint of types", command: "3", needs: ["types", "build"] },
  ];
  expect(select(all, [])).toEqual(all);
  expect(select(all, ["lint", "build"])).toEqual([
    { name: "build", command: "2", needs: [] },
    { name: "lint of types", command: "3", needs: ["build"] },
  ]);
  expect(() => select(all, ["tests"])).toThrow("no name of a step contains tests");
});

test("can run all steps of the project", async () => {
  const outcomes = await runSteps(ofProject, {
    start: () => ({ ended: Promise.resolve(passed), abort: () => Promise.resolve() }),
    began: () => undefined,
    ended: () => undefined,
    isStopping: () => false,
  });
  expect(outcomes).toHaveLength(ofProject.length);
});

test("prints a table of seconds", () => {
  const outcome = (name: string, seconds: number) => ({ step: { name, command: "" }, seconds, ...passed });
  expect(stepTable([outcome("types", 41.4), outcome("lint", 80)], 90.6).split("\n")).toEqual([
    "step               seconds   of CPU",
    "types                   41        2",
    "lint                    80        2",
    "sum of the steps       121        3",
    "from start to end       91",
  ]);
});
