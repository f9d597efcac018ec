import Foundation
import GTK

/// The start of a program that shows a preview.
@MainActor
enum PreviewRun {
    /// Whether the program shows a preview. Modifiers for previews have an effect only then.
    static var isPreview = false

    /// The request of the argument `--preview`.
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

    /// Returns the preview to show instead of the app, or nil if none is requested.
    ///
    /// An unknown preview prints an error and ends the program with exit code 1. A request for the list prints it and
    /// ends the program with exit code 0.
    static func requestedPreview(_ arguments: [String]) -> KnownPreview? {
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

    /// Returns a window that shows a preview. An error while creating the preview ends the program.
    static func window(_ preview: KnownPreview) -> AnyView {
        do {
            return AnyView(WindowView(title: preview.names[0], settings: WindowSettings(), content: try preview.view()))
        } catch {
            end("The preview “\(preview.names[0])” failed: \(error)")
        }
    }

    private static func end(_ message: String) -> Never {
        AppRun.writeError(message)
        exit(1)
    }
}
