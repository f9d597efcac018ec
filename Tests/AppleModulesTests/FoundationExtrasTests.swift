import Foundation
import FoundationExtras
import Testing

@Suite("What Foundation has on Apple's platforms")
struct FoundationExtrasTests {
    private func file() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-extras-\(UUID().uuidString)")
        try Data("film".utf8).write(to: file)
        return file
    }

    @Test("a security-scoped file is accessible if it can be read")
    func access() throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(file.startAccessingSecurityScopedResource())
        file.stopAccessingSecurityScopedResource()
        #expect(!file.appendingPathExtension("none").startAccessingSecurityScopedResource())
        #expect(!(URL(string: "https://example.com")?.startAccessingSecurityScopedResource() ?? true))
    }

    @Test("the user's folders are absolute")
    func folders() {
        for folder in [
            URL.documentsDirectory, .downloadsDirectory, .moviesDirectory, .musicDirectory, .picturesDirectory,
            .desktopDirectory, .cachesDirectory, .applicationSupportDirectory,
        ] {
            #expect(folder.isFileURL && folder.path.hasPrefix("/") && folder.path.count > 1)
        }
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "../x") == nil)
    }

    @Test("a localized string contains its values")
    func localized() {
        let (count, name) = (3, "film")
        #expect(String(localized: "\(count) of \(name), 100 %") == "3 of film, 100 %")
        #expect(String(localized: LocalizedStringResource("\(name)!")) == "film!")
        #expect(LocalizedStringResource("\(name) \(count)").key == "%@ %lld")
    }

    @Test(
        "a percent sign without a value stays in a localized string",
        arguments: ["100% done", "20% discount", "%1$@ of 3", "5 %"])
    func percent(_ text: String) {
        #expect(String(localized: String.LocalizationValue(text)) == text)
        #expect(String(localized: LocalizedStringResource(stringLiteral: text)) == text)
    }

    @Test("defaults store and return values by key")
    func defaults() throws {
        let name = "zt-extras-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        defaults.setValue(5, forKey: "a")
        #expect(defaults.value(forKey: "a") as? Int == 5)
        defaults.setValue(nil, forKey: "a")
        #expect(defaults.value(forKey: "a") == nil)
    }

    @Test("an autorelease pool returns and rethrows the result of its block")
    func pool() {
        #expect(autoreleasepool { 5 } == 5)
        #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.fileNoSuchFile) } }
    }
}
