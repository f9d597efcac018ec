// Where `swift test` begins. SwiftPM would make such a file by itself, with XCTest's cases, which it finds in the index that the
// compiler writes for editors: a quarter of its work (scripts/build does without). There are none here, all tests are Swift
// Testing's; so what SwiftPM asks of XCTest is answered with nothing.
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
