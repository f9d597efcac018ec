import GTK
import DeclarativeUI
import Foundation
import MediaCore
import Presentation

/// The page in place of a video that can't be played: its name, the reason, and the possible actions.
struct FailurePage: View {
    let list: FilmList
    let windowState: WindowState
    @FocusState private var isRetryFocused: Bool

    /// The width, in points, below which the buttons are stacked: in German they are 500 wide side by side.
    private static let narrow = 520.0

    var body: some View {
        if let error = list.failure {
            GeometryReader { proxy in
                ScrollView {
                    page(error, isNarrow: proxy.size.width < Self.narrow)
                        .frame(maxWidth: .infinity, minHeight: proxy.size.height)
                }
            }
        }
    }

    private func page(_ error: AVError, isNarrow: Bool) -> some View {
        ContentUnavailableView {
            Label(title, systemImage: FailurePage.symbol(error))
        } description: {
            VStack(spacing: 6) {
                Text(verbatim: FailurePage.sentence(error.reason))
                if !error.suggestion.isEmpty {
                    Text(verbatim: FailurePage.sentence(error.suggestion))
                }
            }
            .frame(maxWidth: 480)
        } actions: {
            VStack(spacing: 12) {
                if isNarrow { VStack(spacing: 8) { buttons } } else { HStack(spacing: 12) { buttons } }
                Button(localized("Copy Details")) { FailurePage.copy("\(error)") }.buttonStyle(.borderless)
            }
        }
    }

    @ViewBuilder private var buttons: some View {
        Button(localized("Retry")) { list.retry() }.buttonStyle(.borderedProminent)
            .focused($isRetryFocused)
            // Set later, because the previous page still reports its loss of focus, which would undo it.
            .task { isRetryFocused = true }
        Button(localized("Open Another File…")) { windowState.showsFileChooser = true }
        if list.hasNext { Button(localized("Next Video")) { list.next() } }
    }

    private var title: String {
        PlayerWords.localized("Can’t Play “%@”", list.currentRow?.title ?? "")
    }

    /// Returns the symbol for the kind of error.
    static func symbol(_ error: AVError) -> String {
        switch error.code {
        case .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .timedOut: "wifi.exclamationmark"
        case .permissionDenied, .unsupportedKeySystem, .secureConnectionFailed: "lock"
        case .fileNotFound: "questionmark.folder"
        default: "exclamationmark.triangle"
        }
    }

    /// Returns `text` as a sentence with a capital letter and a full stop, for the screen.
    static func sentence(_ text: String) -> String {
        let whole = PlayerWords.onScreen(text.prefix(1).uppercased() + text.dropFirst())
        return whole.last.map { ".!?…".contains($0) } == true ? whole : whole + "."
    }

    private static func copy(_ text: String) {
        GDKDisplay.standard?.setClipboard(text)
    }
}
