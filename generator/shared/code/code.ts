import { isBindingName, isPropertyName, isTypeName } from "../names/identifier.js";

declare const brand: unique symbol;

/**
 * A piece of TypeScript that is safe to print. Names and strings from schemas are data: they become code only through
 * the functions of this file, which check, quote or wrap them.
 */
export type Code = string & { readonly [brand]: true };

export function code(parts: TemplateStringsArray, ...values: readonly Code[]): Code {
  return parts.map((part, index) => part + (values[index] ?? "")).join("") as Code;
}

export function join(items: readonly Code[], separator: string): Code {
  return items.join(separator) as Code;
}

export const nothing = "" as Code;

/** A literal: quoted and escaped. */
export function literal(value: string | number | boolean | null): Code {
  return data(value);
}

/** A template literal type: texts with any string between each and the next. */
export function templateType(texts: readonly string[]): Code {
  const parts = texts.map((text) =>
    data(text)
      .slice(1, -1)
      .replace(/\\"/g, '"')
      .replace(/`|\$(?=\{)/g, "\\$&"),
  );
  return `\`${parts.join("${string}")}\`` as Code;
}

/** JSON data as a literal expression. */
export function data(value: unknown): Code {
  const escape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(unseen, escape) as Code;
}

/**
 * Characters that are invisible but end lines or make code look different: controls, byte order and direction marks.
 */
// eslint-disable-next-line no-control-regex -- control characters are part of it
const unseen = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The name of a type. @throws TypeError for anything that cannot be one */
export function typeName(name: string): Code {
  if (!isTypeName(name)) throw new TypeError(`not a type name: ${JSON.stringify(name)}`);
  return name as Code;
}

/** The name of a function, variable or parameter. @throws TypeError for anything that cannot be one */
export function binding(name: string): Code {
  if (!isBindingName(name)) throw new TypeError(`not a binding name: ${JSON.stringify(name)}`);
  return name as Code;
}

/** A member name in a type or object literal, quoted where necessary. */
export function key(name: string): Code {
  return isPropertyName(name) ? (name as Code) : literal(name);
}

/** A member name in an object literal, in which the plain key `__proto__` would set the prototype. */
export function entryKey(name: string): Code {
  return name === "__proto__" ? code`[${literal(name)}]` : literal(name);
}

/** Whether every object inherits a member of this name from `Object.prototype`. */
export function inherits(name: string): boolean {
  return name in Object.prototype;
}

/** Reads a member. Members that every object inherits are read only as own members. */
export function member(object: Code, name: string): Code {
  if (inherits(name)) return code`ownMember(${object}, ${literal(name)})`;
  return access(object, name);
}

/** Reads a member that the object's type declares. */
export function access(object: Code, name: string): Code {
  return isPropertyName(name) ? code`${object}.${name as Code}` : code`${object}[${literal(name)}]`;
}

const lineWidth = 112;

/** A doc comment. Its text cannot end it or start another tag. Empty when there is no text. */
export function docComment({
  text,
  tags = [],
}: {
  readonly text?: string | undefined;
  readonly tags?: readonly string[];
}): Code {
  const lines = [...(text === undefined ? [] : wrap(clean(text))), ...tags.map((tag) => `@${clean(tag).join(" ")}`)];
  const [only, ...rest] = lines;
  if (only === undefined) return nothing;
  if (rest.length === 0 && only.length < lineWidth) return `/** ${only} */\n` as Code;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n` as Code;
}

/** A comment of one line; no text can end it. */
export function lineComment(text: string): Code {
  return `// ${text.replace(unseen, " ").replaceAll("\n", " ")}`.trimEnd() as Code;
}

/** The lines of a text inside an open comment; they cannot end it or start another tag. */
export function commentLines(text: string): readonly Code[] {
  return wrap(clean(text)) as readonly Code[];
}

function clean(text: string): readonly string[] {
  return text
    .replace(unseen, " ")
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => line.replace(/(^|[\s*])@/g, "$1\\@"));
}

function wrap(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const wrapped: string[] = [];
    let current = "";
    for (const word of line.split(/ +/)) {
      if (current !== "" && current.length + word.length + 1 > lineWidth) {
        wrapped.push(current);
        current = word;
      } else current = current === "" ? word : `${current} ${word}`;
    }
    return [...wrapped, current];
  });
}
