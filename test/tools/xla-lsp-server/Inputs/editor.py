# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""editor.py SERVER: speaks to a language server as editors do, and prints what they would show."""
import json
import subprocess
import sys

PROGRAM = """func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = xla.roll %x {shifts = [2], dimensions = [1]} : tensor<2x3xf32>
  %1 = math.sin %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
"""


JAX = """module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.sine %arg0 : tensor<2x3xf32>
    %1 = chlo.erf_inv %0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x3xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
"""


# What is typed at, by `@`.
VALUES = [
    '%0 = xla.compare %x, %y {comparison_direction = "@',
    '%0 = xla.compare %x, %y {comparison_direction = "EQ", compare_type = "TO@"}',
    '%0 = "xla.fft"(%x) {fft_type = "I@"}',
    "%0 = stablehlo.compare @",
    "%0 = stablehlo.compare G@E, %x, %y",
    "%0 = stablehlo.compare  GE, %x, %y,  S@",
    "%0 = stablehlo.fft %x, type = @",
    "%0 = stablehlo.rng_bit_generator %x, algorithm =  @",
    "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGH, @]",
    '%0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution @',
    "// \U0001F600 \u00e4: #stablehlo<precision @",
]


def symbols(found, depth=1):
    """The outline that an editor shows."""
    for symbol in found:
        start = symbol["selectionRange"]["start"]
        print("  " * depth + symbol["name"], symbol.get("detail", ""), f"{start['line']}:{start['character']}")
        symbols(symbol.get("children", []), depth + 1)


def at(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0

    def send(self, method, params, **more):
        content = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}, ensure_ascii=False).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline().strip()
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line and length:
                return json.loads(self.process.stdout.read(length))
            elif not line and self.process.poll() is not None:
                sys.exit("the server is gone")

    def ask(self, method, params):
        self.count += 1
        self.send(method, params, id=self.count)
        while True:
            message = self.read()
            if message.get("id") == self.count and "method" not in message:
                return message.get("result")

    def errors(self, uri):
        """What is shown for a document next."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return [(d["range"]["start"]["line"], d["message"]) for d in message["params"]["diagnostics"]]

    def open(self, uri, text):
        self.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
        return self.errors(uri)

    def change(self, uri, text):
        self.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
        return self.errors(uri)

    def hover(self, uri, line, character):
        answer = self.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
        return answer["contents"]["value"] if answer else None


def outline_of_many(server, uri, count=1000):
    """Whether the outline of as many operations has their names."""
    line = "  %{0} = xla.negate %x : tensor<2xf32>\n"
    body = "".join(line.format(i) for i in range(count))
    server.open(uri, "func.func @f(%x: tensor<2xf32>) {\n" + body + "  return\n}\n")
    found = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})[0]["children"]
    return [(o["name"], o["detail"]) for o in found] == [("xla.negate", f"%{i}") for i in range(count)]


def main():
    server = Server(sys.argv[1:])
    server.ask("initialize", {"processId": 1, "rootUri": None, "capabilities": {}})
    print("program:", server.open("test:///f.mlir", PROGRAM))
    print("xla.roll:", server.hover("test:///f.mlir", 1, 9))
    print("math.sin:", server.hover("test:///f.mlir", 2, 9))
    uri = "test:///jax.mlir"
    print("StableHLO:", server.open(uri, JAX))
    print("stablehlo.sine:", server.hover(uri, 2, 12))
    print("chlo.erf_inv:", server.hover(uri, 3, 12))
    print("definition:", server.ask("textDocument/definition", at(uri, 4, 29)))
    print("misspelt:", server.change(uri, JAX.replace("stablehlo.sine", "stablehlo.sinne")))
    print("dims:", server.change(uri, JAX.replace("dims = []", "dims = [x]")))
    print("started:", server.change(uri, JAX.replace("stablehlo.sine", "stablehlo.")))
    items = server.ask("textDocument/completion", at(uri, 2, 19))["items"]
    print("completion:", sorted(i["label"] for i in items)[:3])
    for text in VALUES:
        line, rest = text.split("@")
        server.change(uri, "\n" + line + rest + "\n")
        items = server.ask("textDocument/completion", at(uri, 1, len(line.encode("utf-16-le")) // 2))["items"]
        print("values:", " ".join(i["label"] for i in items))
    server.change(uri, JAX)
    for document in ("test:///f.mlir", uri):
        print("symbols:")
        symbols(server.ask("textDocument/documentSymbol", {"textDocument": {"uri": document}}))
    print("long:", outline_of_many(server, "test:///long.mlir"))
    print("pretty:", server.hover(uri, 5, 12))
    print("HLO:", server.open("test:///f.hlo", "HloModule f\n\nENTRY f { ROOT x = f32[] parameter(0) }\n"))
    print("hover:", server.hover("test:///f.hlo", 0, 3))
    print("mended:", server.change("test:///f.hlo", PROGRAM))
    print("hover:", server.hover("test:///f.hlo", 1, 9).split("\n")[0])
    print("HLO again:", server.change("test:///f.hlo", "HloModule g\n"))
    print("artifact:", server.open("test:///f.bc", "ML\N{LATIN SMALL LETTER I WITH DIAERESIS}R\rStableHLO_v1.13.0"))
    print("bytes:", server.open("test:///g.bc", "ab\0cd"))
    print("deep:", server.open("test:///deep.mlir", "module {\n" + "module {" * 2000 + "}" * 2001))
    server.send("textDocument/didClose", {"textDocument": {"uri": "test:///f.bc"}})
    print("closed:", server.errors("test:///f.bc"))
    server.send("nonsense", {})
    deep = b"[" * 200000
    server.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
    print("shutdown:", server.ask("shutdown", None))
    server.send("exit", None)
    print("exit code:", server.process.wait(30))


main()
