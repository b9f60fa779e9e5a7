import { placeText, short } from "../diff/formats/text.js";
import type { NameExplanation, MessageUse, RevisionChange } from "./explanation.js";

/** An explanation for a terminal. */
export function formatExplanation(explanation: NameExplanation): string {
  const { name, kind, revision, file, line, link, text, deprecated, declaration, revisions, corrections } = explanation;
  const sides = explanation.roles ?? { client: "client", server: "server" };
  const rolesOf = (list: NameExplanation["sentBy"]): string => list.map((side) => sides[side]).join(" and the ");
  const place = file === undefined ? "" : `${file}:${line ?? 1}`;
  const parts = [
    [
      `${name}  (${kind}, ${revision})`,
      ...[text, place, link].filter((part) => part !== undefined && part !== ""),
    ].join("\n"),
    ...(deprecated === undefined ? [] : [`DEPRECATED  ${deprecated}`]),
    indent(declaration),
    `Revisions\n${indent(revisions.map((one) => `${one.present ? "+" : "-"} ${one.revision}`).join("\n"))}`,
    ...(explanation.sentBy.length === 0
      ? []
      : [`Sent by the ${rolesOf(explanation.sentBy)}; received by the ${rolesOf(explanation.receivedBy)}`]),
    ...list(
      "Messages",
      explanation.messages.map((message) => messageText(message, sides[message.sender])),
    ),
    ...list("Referred to by", explanation.referredToBy),
    ...list("Corrections of the published schema.json", corrections),
    ...explanation.changes.map(changeText),
  ];
  return `${parts.join("\n\n")}\n`;
}

function messageText({ method, kind, part, ...message }: MessageUse, sender: string): string {
  const { params, result, alternatives, capability, conditions } = message;
  const needs = [...(capability === null ? [] : [capability]), ...conditions];
  const answer = [...(result === undefined ? [] : [result]), ...alternatives].join(" or ");
  return [
    `${part === "message" ? "" : `in the ${part} of `}${method}, ${kind} of the ${sender}`,
    ...(part === "message" && params !== undefined ? [`  params   ${params}`] : []),
    ...(part === "message" && answer !== "" ? [`  result   ${answer}`] : []),
    ...(needs.length > 0 ? [`  needs    ${needs.join("; ")}`] : []),
  ].join("\n");
}

function changeText({ from, to, findings }: RevisionChange): string {
  const lines = findings.map(({ category, rule, message, before, after }) => {
    const places = [before && placeText(before), after && placeText(after)].filter(
      (text) => text !== undefined && text !== "",
    );
    return `${category.padEnd(12)}${rule}: ${short(message)}${places.length > 0 ? `  (${places.join(" to ")})` : ""}`;
  });
  return `From ${from} to ${to}\n${indent(lines.join("\n"))}`;
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}\n${indent(items.join("\n"))}`];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
