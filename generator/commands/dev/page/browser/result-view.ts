import type { Listed, PageRequest, PageResponse } from "../page-data.js";
import { make } from "./dom.js";
import { milliseconds, printed } from "./json-text.js";

/** Types that a browser draws from bytes without running anything. */
const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
const audioTypes = /^audio\/[\w.+-]+$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Shows the response to a request of the page. */
export function resultView(kind: PageRequest["kind"], response: PageResponse, ms: number): HTMLElement {
  if ("error" in response) {
    const { code, message, data } = response.error;
    return make(
      "div",
      { class: "outcome failed" },
      make("h3", {}, `Error ${code} after ${milliseconds(ms)}`),
      make("pre", {}, message),
      data !== undefined && make("pre", {}, printed(data)),
    );
  }
  const { result, notes } = response;
  const isError = result["isError"] === true;
  return make(
    "div",
    { class: isError ? "outcome failed" : "outcome" },
    make("h3", {}, `${isError ? "The tool failed" : "Result"} after ${milliseconds(ms)}`),
    ...notes.map((note) => make("p", { class: "problem" }, note)),
    ...partsOf(kind, result),
    rawView(result),
  );
}

function partsOf(kind: PageRequest["kind"], result: Listed): readonly Node[] {
  const { structuredContent } = result;
  const structured =
    structuredContent === undefined
      ? []
      : [make("h3", {}, "Structured content"), make("pre", {}, printed(structuredContent))];
  switch (kind) {
    case "tool":
      return [...objectsOf(result["content"]).map(contentView), ...structured];
    case "prompt":
      return objectsOf(result["messages"]).flatMap(({ role, content }) => [
        make("h3", {}, String(role)),
        ...objectsOf(Array.isArray(content) ? content : [content]).map(contentView),
      ]);
    case "resource":
      return objectsOf(result["contents"]).map(resourceView);
  }
}

/** Shows a block of content: its text, its image or sound, or else its JSON. */
export function contentView(block: Listed): Node {
  const { type, text, data, mimeType } = block;
  if (type === "text" && typeof text === "string") return make("pre", {}, text);
  if (type === "resource" && isObject(block["resource"])) return resourceView(block["resource"]);
  if (type === "image" || type === "audio") return mediaView(mimeType, data) ?? make("pre", {}, printed(block));
  return make("pre", {}, printed(block));
}

function resourceView(resource: Listed): Node {
  const { uri, mimeType, text, blob } = resource;
  const title = make("p", { class: "quiet" }, [uri, mimeType].filter((one) => typeof one === "string").join(" · "));
  const content =
    typeof text === "string"
      ? make("pre", {}, text)
      : (mediaView(mimeType, blob) ?? make("pre", {}, printed(resource)));
  return make("div", {}, title, content);
}

function mediaView(mimeType: unknown, data: unknown): Node | undefined {
  if (typeof mimeType !== "string" || typeof data !== "string" || !base64.test(data)) return undefined;
  const src = `data:${mimeType};base64,${data}`;
  if (imageTypes.includes(mimeType)) return make("img", { src, alt: `Image of the type ${mimeType}` });
  return audioTypes.test(mimeType) ? make("audio", { src, controls: true }) : undefined;
}

function rawView(result: Listed): HTMLElement {
  const details = make("details", {}, make("summary", { class: "quiet" }, "As JSON"));
  details.addEventListener("toggle", () => details.append(make("pre", {}, printed(result))), { once: true });
  return details;
}

function objectsOf(values: unknown): readonly Listed[] {
  return Array.isArray(values) ? values.filter(isObject) : [];
}

function isObject(value: unknown): value is Listed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
