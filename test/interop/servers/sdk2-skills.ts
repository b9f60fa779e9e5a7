/** A server of SDK 2.x with skills. Argument: the transport. */
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { memorySkillFiles, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { files, prefix } from "../skills/facts.js";
import { info } from "./fixture.js";
import { listen } from "./listen.js";

const catalog = await SkillsExtension.load(memorySkillFiles(files), { prefix });

function newServer(): McpServer {
  const server = new McpServer(info);
  catalog.attach(server);
  return server;
}

if (process.argv[2] === "stdio") serveStdio(newServer);
else listen(toNodeHandler(createMcpHandler(newServer)));
