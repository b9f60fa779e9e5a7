import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { type Client, reviewUrl, type ServerRequestMap } from "@mcpwright/runtime/client";
import { ErrorCode, ProtocolError } from "@mcpwright/runtime/errors";
import { askForm, fieldsOf } from "./ask-form.js";
import type { AskUser } from "./terminal.js";
import { escapeControls, escapeLine } from "../command/escape-controls.js";

export interface ServerRequestOptions {
  /** Prints the requests of the server and the responses. */
  readonly tell: (line: string) => void;
  /** The field values for forms of the server. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Asks the user. Without `ask` and `answer`, forms are declined. */
  readonly ask?: AskUser;
}

type Elicit = ServerRequestMap[typeof ELICITATION_CREATE];

/** Registers the handlers for requests of the server. */
export function answerServerRequests(client: Client, options: ServerRequestOptions): void {
  const { tell } = options;
  // Questions are asked one at a time, because the terminal has one prompt.
  let last: Promise<unknown> = Promise.resolve();
  client.setRequestHandler(ELICITATION_CREATE, (params) => {
    const next = last.then(() => elicit(params, options));
    last = next.catch(() => undefined);
    return next;
  });
  client.setRequestHandler(SAMPLING_CREATE_MESSAGE, () => {
    tell("the server requests sampling: rejected, because mcpwright has no model");
    throw new ProtocolError(ErrorCode.UserRejected, "mcpwright has no model to sample from");
  });
  client.setRequestHandler(ROOTS_LIST, () => {
    tell("the server requests the roots: returned an empty list");
    return { roots: [] };
  });
}

async function elicit(params: Elicit["params"], options: ServerRequestOptions): Promise<Elicit["result"]> {
  const { tell, answer, ask } = options;
  tell(`the server requests input: ${escapeControls(params.message)}`);
  if (params.mode === "url") {
    const { href, host, readableHost, warnings } = reviewUrl(params.url);
    tell(`it requests that you open ${escapeLine(href, 2_000)}`);
    tell(`  on the host ${escapeLine(readableHost === host ? host : `${readableHost} (${host})`)}`);
    for (const { message } of warnings) tell(`  warning: ${escapeLine(message)}`);
    if (answer) return accepted(undefined, tell);
    if (!ask) return declined(tell);
    const typed = await ask("Will you open it? yes, no or cancel [no]: ");
    if (typed !== undefined && /^y(es)?$/i.test(typed.trim())) return { action: "accept" };
    return { action: typed === undefined || /^c(ancel)?$/i.test(typed.trim()) ? "cancel" : "decline" };
  }
  if (answer) {
    const fields = Object.keys(fieldsOf(params.requestedSchema));
    const content = Object.fromEntries(Object.entries(answer).filter(([name]) => fields.includes(name)));
    return accepted(content, tell);
  }
  return ask ? askForm(params.requestedSchema, ask, tell) : declined(tell);
}

function accepted(content: object | undefined, tell: (line: string) => void): Elicit["result"] {
  tell(`answered: ${content === undefined ? "accepted" : escapeLine(JSON.stringify(content))}`);
  return { action: "accept", ...(content && { content: content as Record<string, string> }) };
}

function declined(tell: (line: string) => void): Elicit["result"] {
  tell("declined: there is no terminal; use --answer '{\"field\": value}' to accept");
  return { action: "decline" };
}
