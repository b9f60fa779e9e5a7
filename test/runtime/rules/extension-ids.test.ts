import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { McpServer, Server } from "../../../runtime/src/server.js";
import { info } from "../api/pair.js";

const declaring = (id: string) => ({ capabilities: { extensions: { [id]: {} } } });

describe("the ids of declared extensions", () => {
  test.each(["com.example/search", "io.modelcontextprotocol/ui", "example/a.b-c_d"])("are accepted: %s", (id) => {
    expect(() => new Client(info, declaring(id))).not.toThrow();
    expect(() => new Server(info, declaring(id))).not.toThrow();
    expect(() => new McpServer(info).server.registerCapabilities(declaring(id).capabilities)).not.toThrow();
  });

  test.each(["search", "", "com.example/", "/search", "com..example/a", "1com/a", "com.example/a b", "com.example/-a"])(
    "are refused: %j",
    (id) => {
      const problem = `capabilities.extensions: "${id}" must be like "com.example/name"`;
      expect(() => new Client(info, declaring(id))).toThrow(problem);
      expect(() => new Server(info, declaring(id))).toThrow(problem);
      expect(() => new McpServer(info).server.registerCapabilities(declaring(id).capabilities)).toThrow(problem);
    },
  );
});
