import CEGL
import Foundation
import MediaCore

/// A cache of compiled shaders, with their source texts as keys.
final class ShaderPrograms {
    final class Program {
        let name: GLuint
        let locations: [Int32]
        var lastUsed = 0
        init(name: GLuint, locations: [Int32]) {
            self.name = name
            self.locations = locations
        }
    }
    private enum Entry {
        case ready(Program)
        // Failures are stored too, so that a source that does not compile is not compiled again for each frame.
        case failed(AVError)
    }
    private var entries: [String: Entry] = [:]
    private let isES: Bool
    private let vertex: GLuint
    private var lineOffset: Int?
    private var clock = 0

    init(isES: Bool) throws(AVError) {
        self.isES = isES
        var log = [CChar](repeating: 0, count: 1024)
        vertex = zc_glShader(0, ShaderPrelude.head(isES: isES) + ShaderPrelude.vertex, &log, 1024)
        guard vertex != 0 else {
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the OpenGL driver can't compile shaders: \(ShaderPrograms.string(log))")
        }
    }

    /// Returns the program of a pass, compiled if necessary.
    /// - Throws: `.invalidArgument`, with the kernel's name and the line in its source, if the source does not compile.
    func program(for pass: ShaderPass) throws(AVError) -> Program {
        clock += 1
        if let entry = entries[pass.text] {
            switch entry {
            case .ready(let program):
                program.lastUsed = clock
                return program
            case .failed(let error): throw error
            }
        }
        // While a person edits a shader, each version has another source.
        if entries.count >= 128 { evict() }
        do {
            let program = try build(pass)
            program.lastUsed = clock
            entries[pass.text] = .ready(program)
            return program
        } catch {
            entries[pass.text] = .failed(error)
            throw error
        }
    }

    private func evict() {
        let times = entries.values.map { if case .ready(let program) = $0 { program.lastUsed } else { 0 } }.sorted()
        let limit = times[times.count / 2]
        for (text, entry) in entries {
            switch entry {
            case .ready(let program) where program.lastUsed > limit: continue
            case .ready(let program): zc_glDeleteProgram(program.name)
            case .failed: break
            }
            entries[text] = nil
        }
    }

    private func build(_ pass: ShaderPass) throws(AVError) -> Program {
        var log = [CChar](repeating: 0, count: 4096)
        let fragment = zc_glShader(1, ShaderPrelude.head(isES: isES) + pass.text, &log, 4096)
        guard fragment != 0 else { throw error(ShaderPrograms.string(log), pass) }
        defer { zc_glDeleteShader(fragment) }
        let name = zc_glProgram(vertex, fragment, &log, 4096)
        guard name != 0 else { throw error(ShaderPrograms.string(log), pass) }
        return Program(name: name, locations: pass.uniforms.map { zc_glLocation(name, $0.name) })
    }

    /// Returns the error for a compiler log. The line number identifies the kernel (`ShaderPass.stride`).
    ///
    /// `#line` could give a source number as well, but Mesa loses that number within expressions.
    private func error(_ log: String, _ pass: ShaderPass) -> AVError {
        let lines = log.split(whereSeparator: \.isNewline).map(String.init)
        let line = lines.first { $0.lowercased().contains("error") } ?? lines.first ?? "the driver reported no details"
        guard let (number, message) = ShaderPrograms.parse(line) else {
            return AVError(
                .invalidArgument, at: pass.kernels.first?.name ?? "shader",
                reason: "the shader does not compile: \(line)")
        }
        let encodedLine = number - offset()
        let index = encodedLine / ShaderPass.stride - 1
        if pass.kernels.indices.contains(index) {
            return AVError(
                .invalidArgument, at: pass.kernels[index].name,
                reason: "line \(max(1, encodedLine % ShaderPass.stride)): \(message)",
                suggestion: "Fix the shader; use only features that GLSL 1.50 and GLSL ES 3.00 share")
        }
        let called = index - ShaderPass.firstCall
        guard pass.kernels.indices.contains(called) else {
            return AVError(
                .invalidArgument, at: pass.kernels.first?.name ?? "shader",
                reason: "the shader does not compile: \(message)")
        }
        let name = pass.kernels[called].name
        return AVError(
            .invalidArgument, at: name,
            reason: "the kernel has no function “\(name)” with these arguments: \(message)")
    }

    /// Returns the line number and the message of an error. Drivers write `0:17(5): error: …`, `0(17) : error …` or
    /// `ERROR: 0:17: …` for line 17.
    static func parse(_ text: String) -> (line: Int, message: String)? {
        var rest = text[...]
        if rest.lowercased().hasPrefix("error:") { rest = rest.dropFirst(6) }
        rest = rest.drop { $0 == " " }.drop(while: \.isNumber)
        guard let mark = rest.first, mark == ":" || mark == "(" else { return nil }
        rest = rest.dropFirst()
        let digits = rest.prefix(while: \.isNumber)
        guard let line = Int(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        if rest.first == ")" {
            rest = rest.dropFirst()
        } else if rest.first == "(", let end = rest.firstIndex(of: ")") {
            rest = rest[rest.index(after: end)...]
        }
        rest = rest.drop { $0 == ":" || $0 == " " }
        if rest.lowercased().hasPrefix("error") { rest = rest.dropFirst(5).drop { $0 == ":" || $0 == " " } }
        return (line, String(rest))
    }

    /// Returns the difference between the driver's line numbers and those that `#line 1` sets.
    ///
    /// GLSL before 3.30 counts one more than later versions, and drivers differ. The difference is found at the first
    /// error, by compiling a source with a known error.
    private func offset() -> Int {
        if let lineOffset { return lineOffset }
        var log = [CChar](repeating: 0, count: 1024)
        let shader = zc_glShader(
            1, ShaderPrelude.head(isES: isES) + "#line 70001\nnonsense;\nvoid main() {}\n", &log, 1024)
        if shader != 0 { zc_glDeleteShader(shader) }
        let found = ShaderPrograms.string(log).split(whereSeparator: \.isNewline).lazy.compactMap {
            ShaderPrograms.parse(String($0))
        }.first
        let offset = found.map { $0.line - 70001 } ?? 0
        lineOffset = abs(offset) <= 1 ? offset : 0
        return lineOffset ?? 0
    }

    private static func string(_ log: [CChar]) -> String {
        String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
