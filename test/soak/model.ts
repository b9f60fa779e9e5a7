/** The responses of the server and of the clients: functions of the request alone, known to both sides. */
import { hash } from "./random.js";

export const pageSize = 7;
export const fixedResources = 12;

export const toolNames = [
  "sum",
  "echo",
  "count",
  "work",
  "talk",
  "fail",
  "wait",
  "fate",
  "elicit-await",
  "elicit-return",
  "elicit-ask",
  "sample",
  "roots",
  "touch",
  "flip",
] as const;

/** A word that is derived from a text. */
export function wordOf(text: string): string {
  return hash(text).toString(36).padStart(7, "0");
}

export function echoOf(nonce: string, size: number): string {
  const word = `${wordOf(nonce)} é😀\n`;
  return `${nonce} ${word.repeat(size)}`;
}

export const doneWith = (nonce: string): string => `done ${nonce} ${wordOf(`done ${nonce}`)}`;
export const failureOf = (nonce: string): string => `failed ${nonce} ${wordOf(`failed ${nonce}`)}`;
export const failureCode = 4_001;

export const questionOf = (nonce: string): string => `What belongs to ${nonce}?`;
/** A client's answer to a question; it shows the server which client has answered. */
export const answerTo = (client: string, question: string): string => wordOf(`${client} ${question}`);
export const answeredBy = (nonce: string): string => `${nonce} ${answerTo(clientOf(nonce), questionOf(nonce))}`;
export const rootOf = (client: string): string => `file:///home/${client}`;

/** The client that sends the request: nonces are `<client>#<number>`. */
export const clientOf = (nonce: string): string => nonce.slice(0, nonce.lastIndexOf("#"));

export const fixedUri = (at: number): string => `soak://fixed/${at}`;
export const itemUri = (client: string, at: number): string => `soak://item/${client}/${at}`;
export const ownUri = (client: string): string => `soak://own/${client}`;
export const textOfResource = (uri: string): string => `${uri} ${wordOf(uri)}`;
export const flippedTool = (client: string): string => `flipped-${client}`;

export const suggestionsFor = (start: string): string[] => [1, 2, 3].map((at) => `${start}${wordOf(`${start}${at}`)}`);
export const greetingOf = (name: string): string => `Greet ${name} with ${wordOf(name)}`;
