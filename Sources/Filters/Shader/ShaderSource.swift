import Foundation
import MediaCore

/// The conversion of a shader's source to a kernel. Uniforms become arguments, and lines keep their numbers.
struct ShaderSource {
    struct Uniform: Equatable {
        enum Kind: String, CaseIterable { case float, int, vec2, vec3, vec4 }
        var kind: Kind
        var name: String

        /// Returns `value` as an argument of the uniform's type. Missing numbers, and values of other types, become 0.
        func argument(_ value: Any?) -> KernelArgument {
            let numbers = Uniform.numbers(value)
            func at(_ index: Int) -> Float { index < numbers.count ? Float(numbers[index]) : 0 }
            return switch kind {
            case .float: .float(at(0))
            case .int: .int(Int32(max(-2e9, min(2e9, at(0).isNaN ? 0 : at(0)))))
            case .vec2: .vec2([at(0), at(1)])
            case .vec3: .vec3([at(0), at(1), at(2)])
            case .vec4: .vec4([at(0), at(1), at(2), at(3)])
            }
        }

        private static func numbers(_ value: Any?) -> [Double] {
            switch value {
            case let number as Double: [number]
            case let vector as CIVector: (0..<vector.count).map { Double(vector.value(at: $0)) }
            case let color as CIColor: [color.red, color.green, color.blue, color.alpha].map { Double($0) }
            case let point as CGPoint: [point.x, point.y]
            case let size as CGSize: [size.width, size.height]
            case let list as [Double]: list
            case let list as [Float]: list.map(Double.init)
            case let number as Float: [Double(number)]
            case let number as Int: [Double(number)]
            case let flag as Bool: [flag ? 1 : 0]
            default: []
            }
        }
    }

    let kernel: Kernel
    let uniforms: [Uniform]

    init(_ source: String, name: String) throws(AVError) {
        var uniforms: [Uniform] = []
        let text = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n")
        var lines = ShaderSource.withoutComments(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        for (index, line) in lines.enumerated() {
            let declaration = line.trimmingCharacters(in: .whitespaces)
            func wrong(_ reason: String, _ suggestion: String) -> AVError {
                AVError(.invalidArgument, at: name, reason: "line \(index + 1): \(reason)", suggestion: suggestion)
            }
            if declaration.hasPrefix("#version") {
                throw wrong("#version is not allowed", "Remove the #version line; the renderer adds one")
            }
            guard declaration.hasPrefix("uniform ") else { continue }
            guard let end = declaration.firstIndex(of: ";") else {
                throw wrong("a uniform has no semicolon", "Declare one uniform per line, ending in a semicolon")
            }
            var parts = declaration[..<end].split { $0 == " " || $0 == "\t" }.dropFirst().map(String.init)
            parts.removeAll { ["highp", "mediump", "lowp"].contains($0) }
            guard parts.count == 2, let kind = Uniform.Kind(rawValue: parts[0]),
                parts[1].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else {
                throw wrong(
                    "“\(declaration)” is not a supported uniform declaration",
                    "Declare one uniform per line, of type \(Uniform.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            if uniforms.contains(where: { $0.name == parts[1] }) || ["time", "size"].contains(parts[1]) {
                throw wrong("“\(parts[1])” is already declared", "Give the uniform another name")
            }
            uniforms.append(Uniform(kind: kind, name: parts[1]))
            lines[index] = "\(parts[0]) \(parts[1]);" + declaration[declaration.index(after: end)...]
        }
        guard source.contains("shade") else {
            throw AVError(
                .invalidArgument, at: name, reason: "the shader has no function “vec4 shade(vec2 uv)”",
                suggestion: "Add this function; it is called for every pixel")
        }
        // Insert the declarations into the first line that is not a directive, so that lines keep their numbers.
        let head = "float time; vec2 size; vec2 zt_origin; vec4 video(vec2 uv) { return src0(zt_origin + uv * size); } "
        var isContinued = false
        let first = lines.firstIndex { line in
            defer {
                isContinued =
                    (isContinued || line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#")) && line.hasSuffix("\\")
            }
            return !isContinued && !line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#")
        }
        if let first { lines[first] = head + lines[first] }
        let title = "shader_" + String(ShaderSource.hash(source), radix: 16)
        let declared = uniforms.enumerated().map { ", \($1.kind.rawValue) zt_u\($0)" }.joined()
        let assigned = uniforms.enumerated().map { "\($1.name) = zt_u\($0); " }.joined()
        let tail = """

            vec4 \(title)(vec2 place, float zt_time, vec2 zt_from, vec2 zt_size\(declared)) {
                time = zt_time; zt_origin = zt_from; size = zt_size; \(assigned)
                return shade((place - zt_origin) / size);
            }
            """
        kernel = Kernel(title, .general, lines.joined(separator: "\n") + tail)
        self.uniforms = uniforms
    }

    /// Returns `text` with a space instead of each comment. Newlines in comments stay, so that lines keep their numbers.
    /// A comment without an end stays too, so that the compiler reports it.
    private static func withoutComments(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let newline = UInt8(ascii: "\n")
        var result: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let opening = bytes[start...].prefix(2)
            let isLine = opening.elementsEqual("//".utf8)
            guard isLine || opening.elementsEqual("/*".utf8) else {
                result.append(bytes[start])
                start += 1
                continue
            }
            let end: Int?
            if isLine {
                // After a backslash at the end of a line, the comment continues on the next line.
                end =
                    bytes.indices.dropFirst(start + 2).first {
                        bytes[$0] == newline && bytes[$0 - 1] != UInt8(ascii: "\\")
                    } ?? bytes.count
            } else {
                end =
                    bytes.indices.dropFirst(start + 3).first {
                        bytes[$0] == UInt8(ascii: "/") && bytes[$0 - 1] == UInt8(ascii: "*")
                    }.map { $0 + 1 }
            }
            guard let end else { break }
            result.append(UInt8(ascii: " "))
            result += bytes[start..<end].filter { $0 == newline }
            start = end
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    /// Returns the FNV-1a hash, so that the same source is the same program in every run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
