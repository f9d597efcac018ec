// The entry point of `swift test`. SwiftPM can generate this file. For that it searches the index that the compiler writes
// for editors, which takes a quarter of the compiler's time and which scripts/build omits, for cases of XCTest. All tests
// here use Swift Testing, so a request for XCTest's cases gets an empty list.
import Testing

@main
struct TestRunner {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.contains("--dump-tests-json") { return print(#"{"name":"All tests","tests":[]}"#) }
        guard arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
