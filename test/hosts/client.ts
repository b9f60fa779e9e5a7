/** Runs the suite on Node, Bun and Deno. The arguments: the server's URL, and what to leave out, as JSON. */
import { type LeftOut, runSuite } from "./suite.js";

const [, , url = "", leftOut = "[]"] = process.argv;
process.stdout.write(`${JSON.stringify(await runSuite(url, JSON.parse(leftOut) as LeftOut[]))}\n`);
