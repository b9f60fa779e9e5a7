import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, type Feature, same, textOf, until } from "../feature.js";

/** The features of `@modelcontextprotocol/server-filesystem`. It can only use the folder that is the client's root. */
export const filesystem: readonly Feature[] = [
  {
    name: "opening",
    tryIt: async ({ revision, serverName }, target) => {
      same("the revision", revision, target.revision);
      same("the name of the server", serverName, "secure-filesystem-server");
    },
  },
  { name: "ping", until: "2025-11-25", tryIt: async (driver) => void (await driver.ping()) },
  {
    name: "roots",
    tryIt: async (driver, { folder = "" }) => {
      const allowed = async (): Promise<string> => textOf(await driver.call("list_allowed_directories"));
      await until(async () => (await allowed()).includes(folder), allowed);
      const second = join(dirname(folder), "second");
      mkdirSync(second, { recursive: true });
      driver.addRoot?.(`file://${second}`);
      await until(async () => (await allowed()).includes(second), allowed);
    },
  },
  {
    name: "tools",
    tryIt: async (driver, { folder = "" }) => {
      const names = await driver.list("tools");
      expect("write_file is not listed", names.includes("write_file"), names);
      const path = join(folder, "greeting.txt");
      const content = "Grüße\n你好\n";
      textOf(await driver.call("write_file", { path, content }));
      same("the file", readFileSync(path, "utf8"), content);
      same("the content of the file", textOf(await driver.call("read_text_file", { path })), content);
      textOf(await driver.call("edit_file", { path, edits: [{ oldText: "你好", newText: "שלום" }] }));
      same("the edited file", readFileSync(path, "utf8"), "Grüße\nשלום\n");
    },
  },
  {
    name: "structured output",
    since: "2025-06-18",
    tryIt: async (driver, { folder = "" }) => {
      const { structuredContent } = await driver.call("list_directory", { path: folder });
      same("the output", structuredContent, { content: "[FILE] greeting.txt" });
    },
  },
  {
    name: "errors",
    tryIt: async (driver) => {
      const result = await driver.call("read_text_file", { path: "/etc/hosts" });
      same("whether it is an error", result.isError, true);
      expect("its text", result.content[0]?.text?.includes("Access denied") === true, result);
    },
  },
];
