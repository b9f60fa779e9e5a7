import { randomUUID } from "node:crypto";
import type { CallOptions, ToolResult } from "./driver.js";
import { declared, errorOf, expect, type Feature, same, sleep, streamOf, textOf, until } from "./feature.js";

/** The features of every fixture server, which every client tries. */
export const features: readonly Feature[] = [
  {
    name: "opening",
    tryIt: async ({ revision, serverName }, target) => {
      same("the revision", revision, target.revision);
      same("the name of the server", serverName, "fixture");
    },
  },
  { name: "ping", until: "2025-11-25", tryIt: async (driver) => void (await driver.ping()) },
  {
    name: "tools",
    tryIt: async (driver) => {
      const names = await driver.list("tools");
      expect("add is not among the tools", names.includes("add"), names);
      const { content } = await driver.call("add", { a: 1, b: 2 });
      expect("the sum is not 3", Number(content[0]?.text) === 3 || content[0]?.text === '{"sum":3}', content);
      const shown = await driver.call("show");
      same(
        "the content",
        shown.content.map(({ type }) => type),
        ["text", "image", "resource"],
      );
    },
  },
  {
    name: "structured output",
    since: "2025-06-18",
    tryIt: async (driver) =>
      same("the output", (await driver.call("add", { a: 1, b: 2 })).structuredContent, { sum: 3 }),
  },
  {
    name: "errors",
    tryIt: async (driver) => {
      const failed = await driver.call("fail");
      expect("the result is not an error", failed.isError === true, failed);
      expect("the error's text is missing", failed.content[0]?.text?.includes("It failed on purpose") === true, failed);
      for (const [name, args] of [
        ["add", { a: "x", b: 2 }],
        ["no-such-tool", {}],
      ] as const) {
        const result = await driver
          .call(name, args)
          .catch((error: unknown) => error as Error & { readonly code?: unknown });
        const isTold = result instanceof Error ? typeof result.code === "number" : result.isError === true;
        expect("an invalid call is not reported", isTold, result instanceof Error ? String(result) : result);
      }
      const { code } = await errorOf(driver.read("note://missing"));
      expect("the code of an unknown resource", typeof code === "number", code);
    },
  },
  {
    name: "progress",
    tryIt: async (driver) => {
      const heard: number[] = [];
      const key = randomUUID();
      const answers: Promise<ToolResult>[] = [];
      const onProgress: CallOptions["onProgress"] = ({ progress }) => {
        heard.push(progress);
        answers.push(driver.call("hear", { key, progress }));
      };
      textOf(await driver.call("count", { to: 3, key }, { onProgress }));
      await Promise.all(answers);
      same("the progress", heard, [1, 2, 3]);
    },
  },
  {
    name: "progress at once",
    tryIt: async (driver) => {
      const heard: number[] = [];
      const onProgress: CallOptions["onProgress"] = ({ progress }) => heard.push(progress);
      textOf(await driver.call("count", { to: 3, key: "" }, { onProgress }));
      same("the progress", heard, [1, 2, 3]);
    },
  },
  {
    name: "cancellation",
    tryIt: async (driver) => {
      const key = randomUUID();
      const fate = async (): Promise<string> => textOf(await driver.call("fate", { key }));
      const controller = new AbortController();
      const call = driver.call("wait", { key }, { signal: controller.signal }).then(
        (result) => result.content[0]?.text,
        () => "ended",
      );
      await until(
        async () => (await fate()) === "waiting",
        async () => (await Promise.race([call, sleep(100)])) ?? "the tool has not started",
      );
      controller.abort(new Error("no longer needed"));
      same("the call", await call, "ended");
      await until(
        async () => (await fate()) === "aborted",
        async () => `the tool was not aborted; its state is "${await fate()}"`,
      );
      same("another call", textOf(await driver.call("fate", { key })), "aborted");
    },
  },
  {
    name: "logging",
    tryIt: async (driver) => {
      declared(driver, "logging");
      const heard: unknown[] = [];
      await driver.log("warning", (data) => heard.push(data));
      textOf(await driver.call("log"));
      await until(
        () => JSON.stringify(heard).includes("loud"),
        () => `the log messages are ${JSON.stringify(heard)}`,
      );
      expect("it sent messages below the level", !JSON.stringify(heard).includes("quiet"), heard);
    },
  },
  {
    name: "resources",
    tryIt: async (driver) => {
      declared(driver, "resources");
      same("the list", [...(await driver.list("resources"))].sort(), ["note://blob", "note://counter", "note://third"]);
      same("the text", (await driver.read("note://counter")).text, "A counter");
      same("the bytes", (await driver.read("note://blob")).blob, "AAEC");
    },
  },
  {
    name: "templates",
    tryIt: async (driver) => {
      same("the list", await driver.list("templates"), ["memo://{name}"]);
      same("the text", (await driver.read("memo://hello")).text, "Memo hello");
    },
  },
  {
    name: "subscriptions",
    tryIt: async (driver, target) => {
      declared(driver, "resources", "subscribe");
      let updates = 0;
      const unsubscribe = await driver.subscribe("note://counter", () => updates++);
      // A stream may not be open yet.
      await until(
        async () => {
          textOf(await driver.call("touch"));
          await sleep(50);
          return updates > 0;
        },
        () => streamOf(target),
      );
      await unsubscribe();
      await sleep(100);
      const before = updates;
      textOf(await driver.call("touch"));
      await sleep(100);
      same("the updates after the end", updates, before);
    },
  },
  {
    name: "prompts",
    tryIt: async (driver) => {
      declared(driver, "prompts");
      expect("greet is not among the prompts", (await driver.list("prompts")).includes("greet"), undefined);
      same("the text", await driver.prompt("greet", { name: "Ada" }), "Hello, Ada");
      const { code } = await errorOf(driver.prompt("no-such-prompt", {}));
      expect("the code of an unknown prompt", typeof code === "number", code);
    },
  },
  {
    name: "completion",
    tryIt: async (driver) => {
      same("the names", await driver.complete({ prompt: "greet" }, "name", "A"), ["Ada", "Alan"]);
      same("the memos", await driver.complete({ template: "memo://{name}" }, "name", "he"), ["hello"]);
    },
  },
  {
    name: "sampling",
    tryIt: async (driver) => same("the answer", textOf(await driver.call("ask-model")), "The model said Well thought"),
  },
  {
    name: "elicitation",
    since: "2025-06-18",
    tryIt: async (driver) => same("the answer", textOf(await driver.call("ask-name")), "The user is Ada"),
  },
  {
    name: "roots",
    tryIt: async (driver) =>
      same("the answer", textOf(await driver.call("ask-roots")), "The roots are file:///workspace"),
  },
  {
    name: "pagination",
    tryIt: async (driver) => {
      const first = await driver.resourcePage();
      expect("all came on one page", first.nextCursor !== undefined, first);
      same("the first page", first.names, ["note://counter", "note://blob"]);
      const second = await driver.resourcePage(first.nextCursor);
      same("the second page", second, { names: ["note://third"], nextCursor: undefined });
      const { code } = await errorOf(driver.resourcePage("not a cursor"));
      expect("the code of a bad cursor", typeof code === "number", code);
    },
  },
  {
    name: "list changed",
    tryIt: async (driver, target) => {
      declared(driver, "tools", "listChanged");
      let changes = 0;
      await driver.onChanged("tools", () => changes++);
      const grown: string[] = [];
      await until(
        async () => {
          grown.push(textOf(await driver.call("grow")));
          await sleep(50);
          return changes > 0;
        },
        () => streamOf(target),
      );
      const names = await driver.list("tools");
      expect(
        `${grown.join()} is not among the tools`,
        grown.every((name) => names.includes(name)),
        names,
      );
    },
  },
  {
    name: "arguments in headers",
    since: "2026-07-28",
    transports: ["http"],
    tryIt: async (driver) => {
      await driver.list("tools");
      for (const region of ["Süd, Ost", " x "])
        same("the region", textOf(await driver.call("route", { region })), `Routed to ${region}`);
    },
  },
];
