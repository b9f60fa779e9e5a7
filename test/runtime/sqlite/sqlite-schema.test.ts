import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSchema, SchemaMismatch } from "../../../runtime/src/sqlite/sqlite-schema.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { databases } from "./open-database.js";

const notes = "CREATE TABLE notes (text TEXT NOT NULL)";
const rated = "ALTER TABLE notes ADD COLUMN stars INTEGER NOT NULL DEFAULT 0";
const schema = (...migrations: string[]) => ({ applicationId: 7, user: "the notes", migrations });

describe.each(databases)("the schema of a database of %s", (_name, open) => {
  it("is created once, and migrated with the rows that it has", () => {
    const path = join(temporaryFolder("sqlite"), "notes.db");
    for (const steps of [[notes], [notes], [notes, rated], [notes, rated]]) {
      const database = open(path);
      openSchema(database, schema(...steps));
      database.prepare("INSERT INTO notes (text) VALUES (?)").run(`${steps.length}`);
      database.close();
    }
    const database = open(path);
    expect(database.prepare("SELECT text, stars FROM notes").all()).toMatchObject([
      { text: "1", stars: 0 },
      { text: "1", stars: 0 },
      { text: "2", stars: 0 },
      { text: "2", stars: 0 },
    ]);
    database.close();
  });

  it("stays as it is when a migration fails", () => {
    const database = open(join(temporaryFolder("sqlite"), "notes.db"));
    openSchema(database, schema(notes));
    expect(() => openSchema(database, schema(notes, `${rated}; CREATE TABLE notes (text TEXT)`))).toThrow(
      /already exists/,
    );
    openSchema(database, schema(notes));
    expect(database.prepare("SELECT * FROM pragma_table_info('notes')").all()).toHaveLength(1);
    database.close();
  });

  it("is read-only", () => {
    const path = join(temporaryFolder("sqlite"), "notes.db");
    const writer = open(path);
    openSchema(writer, schema(notes));
    const reader = open(path, { readOnly: true });
    expect(() => openSchema(reader, schema(notes))).toThrow(/readonly/);
    expect(reader.prepare("SELECT * FROM notes").all()).toEqual([]);
    reader.close();
    writer.close();
  });

  it("is not read when it is newer, or belongs to another program", () => {
    const database = open(join(temporaryFolder("sqlite"), "notes.db"));
    openSchema(database, schema(notes, rated));
    expect(() => openSchema(database, schema(notes))).toThrow(
      new SchemaMismatch(
        "cannot open the database: its schema has version 2, and this version of the package reads 1; update the package, or choose another file",
      ),
    );
    expect(() => openSchema(database, { ...schema(notes, rated), applicationId: 8 })).toThrow(
      /belongs to another program; choose a file of its own for the notes/,
    );
    database.close();
  });
});
