import { expect, type Feature, same, textOf, until } from "../feature.js";

const uri = "memory://knowledge-graph";
const ada = { name: "Ada", entityType: "person", observations: ["wrote programs"] };

/** The features of `@modelcontextprotocol/server-memory`. */
export const memory: readonly Feature[] = [
  {
    name: "opening",
    tryIt: async ({ revision, serverName }, target) => {
      same("the revision", revision, target.revision);
      same("the name of the server", serverName, "memory-server");
    },
  },
  { name: "ping", until: "2025-11-25", tryIt: async (driver) => void (await driver.ping()) },
  {
    name: "tools",
    tryIt: async (driver) => {
      const names = await driver.list("tools");
      expect("create_entities is not listed", names.includes("create_entities"), names);
      textOf(await driver.call("create_entities", { entities: [ada] }));
      const graph = JSON.parse(textOf(await driver.call("read_graph"))) as unknown;
      same("the graph", graph, { entities: [ada], relations: [] });
    },
  },
  {
    name: "structured output",
    since: "2025-06-18",
    tryIt: async (driver) => {
      const { structuredContent } = await driver.call("search_nodes", { query: "programs" });
      same("the output", structuredContent, { entities: [ada], relations: [] });
    },
  },
  {
    name: "errors",
    tryIt: async (driver) => {
      const observations = [{ entityName: "nobody", contents: ["x"] }];
      const result = await driver.call("add_observations", { observations });
      same("whether it is an error", result.isError, true);
      expect("its text", result.content[0]?.text?.includes("nobody") === true, result);
    },
  },
  {
    name: "resources",
    tryIt: async (driver) => {
      same("the list", await driver.list("resources"), [uri]);
      const { text = "" } = await driver.read(uri);
      same("the graph", JSON.parse(text), { entities: [ada], relations: [] });
    },
  },
  {
    name: "subscriptions",
    tryIt: async (driver) => {
      let updates = 0;
      const unsubscribe = await driver.subscribe(uri, () => updates++);
      textOf(await driver.call("delete_entities", { entityNames: ["Ada"] }));
      await until(
        () => updates > 0,
        () => "no update",
      );
      await unsubscribe();
    },
  },
];
