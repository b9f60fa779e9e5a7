import type { ElicitResult } from "@mcpwright/protocol/2026-07-28";
import type { Client, ClientOptions } from "@mcpwright/runtime/client";
import { listSkills, refuseSkill } from "./skills.js";

/** The actions of the client in a scenario of the official suite. */
export interface Scenario {
  /** The user's content for every form, in addition to the defaults. */
  readonly answer?: NonNullable<ElicitResult["content"]>;
  readonly extensions?: NonNullable<ClientOptions["extensions"]>;
  /** @param context the context that the suite passes */
  readonly run: (client: Client, context: object) => Promise<unknown>;
}

/** Prints the tools, resources and prompts of the server. */
export const lookAround: Scenario = {
  run: async (client) => {
    const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
    const found = {
      revision: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      tools: tools && (await client.listTools()).tools.map(({ name }) => name),
      resources: resources && (await client.listResources()).resources.map(({ uri }) => uri),
      prompts: prompts && (await client.listPrompts()).prompts.map(({ name }) => name),
    };
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  },
};

const listing: Scenario = { run: (client) => client.listTools() };

/** What the client does in all scenarios with authorization. */
export const protectedTool: Scenario = calling("test-tool");

export const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: lookAround,

  tools_call: calling("add_numbers", { a: 5, b: 3 }),

  "elicitation-sep1034-client-defaults": calling("test_client_elicitation_defaults"),

  "sse-retry": calling("test_reconnection"),

  "request-metadata": lookAround,

  "sep-2322-client-request-state": {
    answer: { confirmed: true },
    run: async (client) => {
      await client.listTools();
      for (const name of [
        "test_mrtr_echo_state",
        "test_mrtr_no_state",
        "test_mrtr_unrelated",
        "test_mrtr_no_result_type",
      ])
        await client.callTool({ name, arguments: {} });
    },
  },

  "http-standard-headers": {
    run: async (client) => {
      await client.listTools();
      await client.callTool({ name: "test_headers", arguments: {} });
      await client.listResources();
      await client.readResource({ uri: "file:///path/to/file%20name.txt" });
      await client.listPrompts();
      await client.getPrompt({ name: "test_prompt" });
    },
  },

  "http-custom-headers": {
    run: async (client, context) => {
      await client.listTools();
      const { toolCalls } = context as { toolCalls: { name: string; arguments: Record<string, unknown> }[] };
      for (const call of toolCalls) await client.callTool(call);
    },
  },

  "http-invalid-tool-headers": {
    run: async (client) => {
      const { tools } = await client.listTools();
      for (const { name } of tools) await client.callTool({ name, arguments: { region: "us-west1" } });
    },
  },

  "json-schema-ref-no-deref": listing,

  "sep-2640-client-no-prefetch": listSkills,
  "sep-2640-client-verify-digest": refuseSkill("digest"),
  "sep-2640-client-verify-size": refuseSkill("size"),
  "sep-2640-client-verify-frontmatter": refuseSkill("frontmatter"),

  "json-schema-2020-12-preservation": {
    run: async (client) => {
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema;
      await client.callTool({ name: "json_schema_echo", arguments: { schema } });
    },
  },
};

function calling(name: string, args: Record<string, unknown> = {}): Scenario {
  return {
    run: async (client) => {
      await client.listTools();
      await client.callTool({ name, arguments: args });
    },
  };
}
