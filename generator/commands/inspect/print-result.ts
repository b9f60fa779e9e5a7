import { escapeControls } from "../../shared/command/escape-controls.js";
import type { TextStyles } from "./text-styles.js";

type Members = Readonly<Record<string, unknown>>;

/** Prints the result of one request as text. */
export function printResult(request: Members, result: Members, paint: TextStyles): string {
  const lines =
    "call" in request
      ? callLines(result, paint)
      : "read" in request
        ? asList(result["contents"]).flatMap((one) => contentsLines(one, paint))
        : "prompt" in request
          ? promptLines(result, paint)
          : completionLines(result, paint);
  return lines.map((line) => `${line}\n`).join("");
}

function callLines({ content, structuredContent, isError }: Members, paint: TextStyles): readonly string[] {
  return [
    ...(isError === true ? [paint.strong("The tool failed.")] : []),
    ...asList(content).flatMap((block) => blockLines(block, paint)),
    ...(structuredContent === undefined
      ? []
      : [paint.strong("Structured content"), escapeControls(JSON.stringify(structuredContent, null, 2))]),
  ];
}

function promptLines({ description, messages }: Members, paint: TextStyles): readonly string[] {
  return [
    ...(typeof description === "string" ? [escapeControls(description)] : []),
    ...asList(messages).flatMap(({ role, content }) => [
      paint.strong(`${escapeControls(String(role))}:`),
      ...blockLines(content as Members, paint),
    ]),
  ];
}

function completionLines({ completion }: Members, paint: TextStyles): readonly string[] {
  const { values, total, hasMore } = completion as { values: readonly string[]; total?: number; hasMore?: boolean };
  const rest = (total ?? 0) > values.length || hasMore === true;
  return [
    ...values.map(escapeControls),
    ...(rest ? [paint.faint(total === undefined ? "… and more" : `… of ${total}`)] : []),
  ];
}

function blockLines(block: Members, paint: TextStyles): readonly string[] {
  const { type, text, data, mimeType, uri, name, resource } = block;
  switch (type) {
    case "text":
      return [escapeControls(String(text))];
    case "image":
    case "audio":
      return [paint.faint(`[${type} ${escapeControls(String(mimeType))}, ${bytesOf(data)} bytes]`)];
    case "resource_link":
      return [`${escapeControls(String(name))} ${paint.name(escapeControls(String(uri)))}`];
    case "resource":
      return contentsLines(resource as Members, paint);
    default:
      return [escapeControls(JSON.stringify(block, null, 2))];
  }
}

function contentsLines({ uri, mimeType, text, blob }: Members, paint: TextStyles): readonly string[] {
  const type = typeof mimeType === "string" ? ` (${escapeControls(mimeType)})` : "";
  const body = typeof text === "string" ? escapeControls(text) : paint.faint(`[${bytesOf(blob)} bytes]`);
  return [`${paint.name(escapeControls(String(uri)))}${type}`, body];
}

function bytesOf(base64: unknown): number {
  return Buffer.from(String(base64), "base64").length;
}

function asList(value: unknown): readonly Members[] {
  return Array.isArray(value) ? (value as readonly Members[]) : [];
}
