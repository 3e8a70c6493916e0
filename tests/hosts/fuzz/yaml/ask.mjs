// Adds to each document what the YAML libraries of JavaScript say of it. Run by Bun.
import { readFileSync, writeFileSync } from "fs";
import three from "js-yaml3";
import four from "js-yaml4";
import { parse } from "yaml";

const kind = (value) => {
    if (value === null || value === undefined) return "null";
    if (typeof value === "string") return ["text", value];
    if (typeof value === "boolean") return ["truth", value];
    return typeof value === "number" ? "number" : "other";
};

const isMap = (value) =>
    Object.prototype.toString.call(value) === "[object Object]" && !ArrayBuffer.isView(value);

// The fields of a map, `null` for a refusal, and the kind of anything else.
const answer = (read) => {
    let value;
    try {
        value = read();
    } catch {
        return null;
    }
    return isMap(value)
        ? Object.fromEntries(Object.keys(value).map((key) => [key, kind(value[key])]))
        : kind(value);
};

const libraries = {
    js3: (text) => three.load(text),
    js4: (text) => four.load(text),
    npm: (text) => parse(text, { logLevel: "error" }),
    bun: (text) => Bun.YAML.parse(text),
};

const [documents, asked] = process.argv.slice(2);
const lines = [];
for (const line of readFileSync(documents, "utf8").split("\n").filter(Boolean)) {
    const text = JSON.parse(line);
    const of = ([name, read]) => [name, answer(() => read(text))];
    const said = JSON.stringify({ text, ...Object.fromEntries(Object.entries(libraries).map(of)) });
    // Half of a surrogate pair is no text elsewhere.
    if (!/\\ud[89a-f]/.test(said)) lines.push(said + "\n");
}
writeFileSync(asked, lines.join(""));
