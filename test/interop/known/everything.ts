import { randomUUID } from "node:crypto";
import { errorOf, expect, type Feature, same, sleep, textOf, until } from "../feature.js";

/** The features of `@modelcontextprotocol/server-everything` for a client with all capabilities. */
export const everything: readonly Feature[] = [
  {
    name: "opening",
    tryIt: async ({ revision, serverName }, target) => {
      same("the revision", revision, target.revision);
      same("the name of the server", serverName, "mcp-servers/everything");
    },
  },
  { name: "ping", until: "2025-11-25", tryIt: async (driver) => void (await driver.ping()) },
  {
    name: "tools",
    tryIt: async (driver) => {
      const names = await driver.list("tools");
      const wanted = ["echo", "trigger-sampling-request", "get-roots-list", "trigger-elicitation-request"];
      expect(
        "a tool is not listed",
        wanted.every((name) => names.includes(name)),
        names,
      );
      same("the echo", textOf(await driver.call("echo", { message: "Grüße, 你好" })), "Echo: Grüße, 你好");
      const types = async (name: string, args: object): Promise<string[]> =>
        (await driver.call(name, args)).content.map(({ type }) => type);
      same("the image", await types("get-tiny-image", {}), ["text", "image", "text"]);
      same("the resource", await types("get-resource-reference", { resourceType: "Blob", resourceId: 1 }), [
        "text",
        "resource",
        "text",
      ]);
      same("the annotated ones", await types("get-annotated-message", { messageType: "error", includeImage: true }), [
        "text",
        "image",
      ]);
    },
  },
  {
    name: "resource links",
    since: "2025-06-18",
    tryIt: async (driver) => {
      const { content } = await driver.call("get-resource-links", { count: 2 });
      same(
        "the content",
        content.map(({ type }) => type),
        ["text", "resource_link", "resource_link"],
      );
    },
  },
  {
    name: "structured output",
    since: "2025-06-18",
    tryIt: async (driver) => {
      const { structuredContent } = await driver.call("get-structured-content", { location: "Chicago" });
      same("the output", structuredContent, { temperature: 36, conditions: "Light rain / drizzle", humidity: 82 });
    },
  },
  {
    name: "errors",
    tryIt: async (driver) => {
      const { isError } = await driver.call("get-sum", { a: "x", b: 2 });
      same("whether it is an error", isError, true);
      const { code } = await errorOf(driver.read("demo://resource/no/such/thing"));
      expect("the code of an unknown resource", typeof code === "number", code);
    },
  },
  {
    name: "progress",
    tryIt: async (driver) => {
      const heard: number[] = [];
      const onProgress = ({ progress }: { progress: number }): unknown => heard.push(progress);
      textOf(await driver.call("trigger-long-running-operation", { duration: 0.2, steps: 4 }, { onProgress }));
      // It sends the last progress notification and the response at the same time.
      same("the progress", heard, [1, 2, 3, 4]);
    },
  },
  {
    name: "cancellation",
    tryIt: async (driver) => {
      const heard: number[] = [];
      const controller = new AbortController();
      const call = driver.call(
        "trigger-long-running-operation",
        { duration: 0.6, steps: 4 },
        {
          signal: controller.signal,
          onProgress: ({ progress }) => {
            heard.push(progress);
            controller.abort(new Error("not wanted any more"));
          },
        },
      );
      await errorOf(call);
      await sleep(600);
      same("the number of messages about progress", heard.length, 1);
      same("another call", textOf(await driver.call("echo", { message: "x" })), "Echo: x");
    },
  },
  {
    name: "logging",
    tryIt: async (driver) => {
      const heard: unknown[] = [];
      const uri = "demo://resource/dynamic/text/7";
      await driver.log("warning", (data) => heard.push(data));
      // It logs this at the level info.
      await (
        await driver.subscribe(uri, () => undefined)
      )();
      same("the messages below the level", heard, []);
      await driver.log("info", () => undefined);
      const unsubscribe = await driver.subscribe(uri, () => undefined);
      await until(
        () => JSON.stringify(heard).includes(uri),
        () => `the log messages are ${JSON.stringify(heard)}`,
      );
      await unsubscribe();
    },
  },
  {
    name: "resources",
    tryIt: async (driver) => {
      const uris = await driver.list("resources");
      const features = uris.find((uri) => uri.endsWith("features.md")) ?? "";
      expect("its text", (await driver.read(features)).text?.includes("Everything Server") === true, uris);
    },
  },
  {
    name: "templates",
    tryIt: async (driver) => {
      same("the list", await driver.list("templates"), [
        "demo://resource/dynamic/text/{resourceId}",
        "demo://resource/dynamic/blob/{resourceId}",
      ]);
      const text = await driver.read("demo://resource/dynamic/text/3");
      expect("the text", text.text?.startsWith("Resource 3") === true, text);
      const blob = await driver.read("demo://resource/dynamic/blob/3");
      expect("the bytes", typeof blob.blob === "string" && blob.blob.length > 0, blob);
    },
  },
  {
    name: "subscriptions",
    tryIt: async (driver) => {
      let updates = 0;
      const unsubscribe = await driver.subscribe("demo://resource/dynamic/text/5", () => updates++);
      textOf(await driver.call("toggle-subscriber-updates"));
      await until(
        () => updates > 0,
        () => "no update",
      );
      textOf(await driver.call("toggle-subscriber-updates"));
      await unsubscribe();
    },
  },
  {
    name: "prompts",
    tryIt: async (driver) => {
      expect("args-prompt is not listed", (await driver.list("prompts")).includes("args-prompt"), undefined);
      same("the text", await driver.prompt("args-prompt", { city: "Kyoto" }), "What's weather in Kyoto?");
      const { code } = await errorOf(driver.prompt("args-prompt", {}));
      expect("the code of a missing argument", typeof code === "number", code);
    },
  },
  {
    name: "completion",
    tryIt: async (driver) => {
      same("the departments", await driver.complete({ prompt: "completable-prompt" }, "department", "S"), [
        "Sales",
        "Support",
      ]);
      same(
        "the ids",
        await driver.complete({ template: "demo://resource/dynamic/text/{resourceId}" }, "resourceId", "12"),
        ["12"],
      );
    },
  },
  {
    name: "sampling",
    tryIt: async (driver) => {
      const text = textOf(await driver.call("trigger-sampling-request", { prompt: "Think", maxTokens: 10 }));
      expect("the answer", text.includes("Well thought"), text);
    },
  },
  {
    name: "elicitation",
    since: "2025-06-18",
    tryIt: async (driver) => {
      const text = textOf(await driver.call("trigger-elicitation-request"));
      expect("the answer", text.includes("Name: Ada"), text);
    },
  },
  {
    // The tool requires a task, and asks a question in the middle.
    name: "tasks",
    since: "2025-11-25",
    needs: "callTask",
    tryIt: async (driver) => {
      const statuses: string[] = [];
      const args = { topic: "python", ambiguous: true };
      const result = await driver.callTask?.("simulate-research-query", args, (status) => statuses.push(status));
      const text = textOf(result ?? { content: [] });
      expect("the report", text.includes("# Research Report: python ("), text);
      expect("the task did not wait for an answer", statuses.includes("input_required"), statuses);
      same("the last status", statuses.at(-1), "completed");
    },
  },
  {
    name: "elicitation by URL",
    since: "2025-11-25",
    tryIt: async (driver) => {
      for (const errorPath of [false, true]) {
        const text = textOf(await driver.call("trigger-url-elicitation", { url: "http://127.0.0.1/visit", errorPath }));
        expect("the answer", text.includes("User completed the URL elicitation flow"), text);
      }
    },
  },
  {
    name: "roots",
    tryIt: async (driver) => {
      const text = textOf(await driver.call("get-roots-list"));
      expect("the answer", text.includes("file:///workspace"), text);
    },
  },
  {
    name: "list changed",
    tryIt: async (driver) => {
      let changes = 0;
      await driver.onChanged("resources", () => changes++);
      // Its sessions share them.
      const name = `${randomUUID()}.gz`;
      const args = { name, data: "data:text/plain,hello", outputType: "resource" };
      textOf(await driver.call("gzip-file-as-resource", args));
      await until(
        () => changes > 0,
        () => "no change notification arrived",
      );
      const uris = await driver.list("resources");
      expect("the new resource is not listed", uris.includes(`demo://resource/session/${name}`), uris);
    },
  },
];
