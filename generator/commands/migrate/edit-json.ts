import { ts } from "ts-morph";

/**
 * Sets a member of a JSON text and keeps the rest as it is written. Missing objects on the way are created. Among names in
 * alphabetical order, a new one gets its place; otherwise it is the last.
 * @param path the names from the root to the member; all values on the way are objects
 */
export function setJsonMember(text: string, path: readonly string[], value: string): string {
  const style = styleOf(text);
  let object = rootOf(text);
  for (const [depth, name] of path.entries()) {
    const member = membersOf(object).find((one) => nameOf(one) === name);
    const rest = path.slice(depth + 1);
    if (!member) return insert(text, object, name, print(rest, value, style, depth + 1), style, depth);
    if (rest.length === 0)
      return splice(text, member.initializer.getStart(), member.initializer.end, JSON.stringify(value));
    if (!ts.isObjectLiteralExpression(member.initializer))
      throw new Error(`${path.join(".")}: ${name} is not an object`);
    object = member.initializer;
  }
  return text;
}

/** Removes a member of a JSON text, with its line. An object that becomes empty is removed, too, unless it is the root. */
export function removeJsonMember(text: string, path: readonly string[]): string {
  let object = rootOf(text);
  for (const name of path.slice(0, -1)) {
    const inner = membersOf(object).find((one) => nameOf(one) === name)?.initializer;
    if (!inner || !ts.isObjectLiteralExpression(inner)) return text;
    object = inner;
  }
  const members = membersOf(object);
  const index = members.findIndex((one) => nameOf(one) === path.at(-1));
  const member = members[index];
  if (!member) return text;
  if (members.length === 1 && path.length > 1) return removeJsonMember(text, path.slice(0, -1));
  const next = members[index + 1];
  const before = members[index - 1];
  if (next) return splice(text, member.getStart(), next.getStart(), "");
  return splice(text, before?.end ?? object.getStart() + 1, member.end, "");
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

type Member = ts.PropertyAssignment;

function rootOf(text: string): ts.ObjectLiteralExpression {
  const file = ts.createSourceFile("package.json", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSON);
  const [statement] = file.statements;
  if (!statement || !ts.isExpressionStatement(statement) || !ts.isObjectLiteralExpression(statement.expression))
    throw new Error("not a JSON object");
  return statement.expression;
}

function membersOf(object: ts.ObjectLiteralExpression): readonly Member[] {
  return object.properties.filter(ts.isPropertyAssignment);
}

function nameOf({ name }: Member): string {
  return ts.isStringLiteral(name) ? name.text : name.getText();
}

function styleOf(text: string): Style {
  const [, unit = "  "] = /^\uFEFF?\s*\{\s*?\n([ \t]+)"/.exec(text) ?? [];
  return { unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** A value inside the objects that `names` name. */
function print([name, ...rest]: readonly string[], value: string, style: Style, depth: number): string {
  if (name === undefined) return JSON.stringify(value);
  const inner = style.unit.repeat(depth + 1);
  const content = `${JSON.stringify(name)}: ${print(rest, value, style, depth + 1)}`;
  return `{${style.eol}${inner}${content}${style.eol}${style.unit.repeat(depth)}}`;
}

function insert(
  text: string,
  object: ts.ObjectLiteralExpression,
  name: string,
  value: string,
  { unit, eol }: Style,
  depth: number,
): string {
  const members = membersOf(object);
  const entry = `${JSON.stringify(name)}: ${value}`;
  const last = members.at(-1);
  if (!last) {
    const content = `{${eol}${unit.repeat(depth + 1)}${entry}${eol}${unit.repeat(depth)}}`;
    return splice(text, object.getStart(), object.end, content);
  }
  const names = members.map(nameOf);
  const isSorted = names.every((one, at) => at === 0 || (names[at - 1] ?? "") <= one);
  const next = depth > 0 && isSorted ? members.find((one) => nameOf(one) > name) : undefined;
  const gap = separatorBefore(text, members[0] ?? last);
  if (next) return splice(text, next.getStart(), next.getStart(), `${entry},${gap}`);
  return splice(text, last.end, last.end, `,${gap}${entry}`);
}

/** The white space that separates the members of an object: a line end with the indentation, or a space. */
function separatorBefore(text: string, member: Member): string {
  const space = text.slice(member.pos, member.getStart());
  return space === "" ? " " : space;
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}
