import Foundation
import GTK

/// A program that was started to show a preview.
@MainActor
enum PreviewRun {
    /// Views that say how they are shown as a preview are heard.
    static var isPreview = false

    /// What `--preview` in a program's arguments asks for.
    enum Request: Equatable {
        case none, list
        case named(String)

        init(_ arguments: [String]) {
            self = .none
            for (index, argument) in arguments.dropFirst().enumerated() {
                if argument.hasPrefix("--preview=") { self = .named(String(argument.dropFirst("--preview=".count))) }
                guard argument == "--preview" else { continue }
                let next = arguments.dropFirst(index + 2).first
                self = next.map { .named($0) } ?? .list
                return
            }
        }
    }

    /// The preview to show in place of the app; nil: none was asked for. One that is not there is told on standard
    /// error and ends the program with exit code 1, a list on standard output with 0.
    static func asked(_ arguments: [String]) -> KnownPreview? {
        let request = Request(arguments)
        guard request != .none else { return nil }
        let all = PreviewCatalog.all()
        guard case .named(let name) = request else {
            print(all.isEmpty ? PreviewCatalog.none : PreviewCatalog.list(all))
            exit(0)
        }
        do throws(PreviewCatalog.NotFound) {
            let preview = try PreviewCatalog.find(name, in: all)
            isPreview = true
            GTKEnvironment.setPreviews()
            return preview
        } catch {
            end(error.description)
        }
    }

    /// A window with it; an error in making it ends the program.
    static func window(_ preview: KnownPreview) -> AnyView {
        do {
            return AnyView(WindowView(title: preview.names[0], settings: WindowSettings(), content: try preview.view()))
        } catch {
            end("The preview “\(preview.names[0])” failed: \(error)")
        }
    }

    private static func end(_ words: String) -> Never {
        FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "app"): \(words)\n".utf8))
        exit(1)
    }
}
