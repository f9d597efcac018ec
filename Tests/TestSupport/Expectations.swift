import Testing

/// Checks that two values are equal, and shows both if they are not. Use for awaited values, of which `#expect` shows
/// only the source text.
public func expectEqual<T: Equatable>(
    _ actual: T, _ expected: T, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}

/// Checks the exit code of a program, and shows its output if the code differs.
public func expectEnd(
    _ run: (code: Int32, output: String, error: String), _ code: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(run.code == code, "\(run.output) \(run.error)", sourceLocation: sourceLocation)
}

/// Checks the exit code of a program on a bus, and shows its output if the code differs.
public func expectEnd(
    _ run: (code: Int32, text: String), _ code: Int32, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(run.code == code, "\(run.text)", sourceLocation: sourceLocation)
}
