/** The process of a server on HTTP. Arguments: its port, or 0 for any; its only revision. */
import { serveHttp } from "../../../runtime/src/node.js";
import { upstreamServer } from "./upstream-server.js";

const [, , port, revision] = process.argv;
const { url } = await serveHttp(upstreamServer(revision), { port: Number(port), sessions: { idleMs: 5_000 } });
process.send?.(Number(url.port));
process.on("disconnect", () => process.exit(1));
