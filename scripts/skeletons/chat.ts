import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { modulesFolder } from "../interop/paths.js";
import { run } from "./command.js";

/** The time-out of one conversation, in milliseconds. */
const patienceMs = 60_000;

/**
 * Runs the chat host with two servers from one file: one created by `mcpwright new` (of the newest revision) and one of the
 * official SDK (which opens with `initialize`). @throws Error with the text that the output of the host lacks
 */
export async function chat(folder: string, server: string, home: string): Promise<void> {
  const file = join(folder, "servers.json");
  const everything = join(modulesFolder, "@modelcontextprotocol/server-everything/dist/index.js");
  const mcpServers = {
    notes: { command: process.execPath, args: [join(server, "build/main.js")] },
    everything: { command: process.execPath, args: [everything, "stdio"] },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const lines = [
    "y", // the first server may start
    "y", // the second server may start
    'call notes__write_note {"title":"tea","text":"Buy some"}',
    "y", // the tool may run
    'call notes__delete_note {"title":"tea"}',
    "y", // the tool may run
    "yes", // the answer to its question
    "s", // the answer may be sent
    'call everything__echo {"message":"over there"}',
    "y",
    'call notes__search_notes {"text":"tea"}',
    "n",
    "quit",
  ];
  const input = lines.map((line) => `${line}\n`).join("");
  const { out, err } = await run([process.execPath, "build/main.js", file], {
    cwd: folder,
    patienceMs,
    input,
    env: { HOME: home, USERPROFILE: home },
  });
  const expected = [
    '"tea" is written',
    'notes asks: Delete the note "tea"?',
    '"tea" is deleted',
    "over there",
    "The user did not allow this tool to run",
  ];
  const missing = expected.find((part) => !out.includes(part));
  if (missing !== undefined) throw new Error(`the host did not print ${missing}:\n${out}${err}`);
}
