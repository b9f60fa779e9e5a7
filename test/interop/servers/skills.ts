/** A server with skills. Arguments: the transport, and the revision to serve. */
import { serverSides } from "@mcpwright/protocol/server-sides";
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { memorySkillFiles, SkillCatalog, skills } from "@mcpwright/runtime/skills";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { parse } from "yaml";
import { files, prefix } from "../skills/facts.js";
import { info } from "./fixture.js";
import { tell } from "./listen.js";

const [, , transport, only] = process.argv;

const catalog = await SkillCatalog.load(memorySkillFiles(files), {
  parseFrontmatter: parse,
  baseUri: `skill://${prefix}/`,
});
const server = new McpServer(info, {
  revisions: serverSides.filter(({ revision }) => only === undefined || revision === only),
  extensions: [skills(catalog)],
  onerror: (error) => console.error(error),
});

if (transport === "stdio") serveStdio(server);
else {
  const { url } = await serveHttp(server, { port: 0, host: "127.0.0.1", path: "/mcp" });
  tell(Number(new URL(url).port));
}
