/** Serves on `node:http` directly. Arguments: the allowed origins. */
import { serveHttp } from "@mcpwright/runtime/node";
import { InMemoryEventStore } from "@mcpwright/runtime/server/http";
import { served, servedOptions } from "./served.js";

const allowedOrigins = process.argv.slice(2);
const { url } = await serveHttp(served(), { ...servedOptions, eventStore: new InMemoryEventStore(), allowedOrigins });
process.stdout.write(`${url.href}\n`);
