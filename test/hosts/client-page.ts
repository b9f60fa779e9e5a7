/** Runs the suite in a page of a browser, against the server whose URL the query names. */
import { runSuite } from "./suite.js";

const { search } = new URL(import.meta.url);
const report = await runSuite(new URLSearchParams(search).get("server") ?? "");
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
