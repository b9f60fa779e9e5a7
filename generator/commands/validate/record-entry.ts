import { isObject } from "../../shared/is-object.js";
import type { Side } from "../../shared/model/protocol.js";
import type { Report } from "./finding-collector.js";
import type { Line } from "./read-lines.js";
import type { Members } from "./json-values.js";

/** One line of a record: the sender and the message. */
export interface RecordEntry {
  readonly line: number;
  readonly from: Side;
  readonly message: unknown;
}

const form = 'expected a line such as {"at": 12, "from": "client", "message": {"jsonrpc": "2.0", …}}';

/** Reads a line and reports invalid entries. Ignores blank lines. */
export function readRecordEntry(line: Line, report: Report): RecordEntry | undefined {
  if (line.text?.trim() === "") return undefined;
  const value = readObject(line, report);
  const from = value && readSender(value, report);
  if (!value || !from) return undefined;
  const { at, message } = value;
  if (at !== undefined && typeof at !== "number") report("line-form", ["at"], '"at" is not a number of milliseconds');
  if (Object.hasOwn(value, "message")) return { line: line.number, from, message };
  report("line-form", ["message"], `there is no "message": ${form}`);
  return undefined;
}

function readObject({ text, problem }: Line, report: Report): Members | undefined {
  if (text === undefined) {
    if (problem === "too long") report("line-too-long", [], "the line is longer than 64 MiB, and was left out");
    else report("line-malformed", [], "the line is not valid UTF-8");
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
    report("line-form", [], `the line is not an object: ${form}`);
  } catch (error) {
    report("line-malformed", [], `the line is not valid JSON: ${(error as Error).message}`);
  }
  return undefined;
}

function readSender(value: Members, report: Report): Side | undefined {
  const { from } = value;
  if (from === "client" || from === "server") return from;
  if (value["jsonrpc"] === undefined) report("line-form", ["from"], `"from" is neither "client" nor "server": ${form}`);
  else report("line-form", [], `the line is a message, and does not say who sent it: ${form}`);
  return undefined;
}
