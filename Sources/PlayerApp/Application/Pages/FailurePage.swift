import CGTK
import DeclarativeUI
import Foundation
import MediaCore

/// What a window shows in place of a film that cannot be played: which, why, and what can be done.
struct FailurePage: View {
    let list: FilmList
    let desk: FilmDesk
    @FocusState private var isRetryFocused: Bool

    /// Points: narrower, buttons stand below each other.
    private static let narrow = 360.0

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
                Button(say("Copy Details")) { FailurePage.copy("\(error)") }.buttonStyle(.borderless)
            }
        }
    }

    @ViewBuilder private var buttons: some View {
        Button(say("Retry")) { list.retry() }.buttonStyle(.borderedProminent)
            .focused($isRetryFocused)
            // Not as it appears: the one before, whose going is still to be told, would undo it.
            .task { isRetryFocused = true }
        Button(say("Open Another…")) { desk.asksForFiles = true }
        if list.hasNext { Button(say("Next Film")) { list.next() } }
    }

    private var title: String {
        let name = list.currentRow?.title ?? ""
        return say("“%@” cannot be played").replacingOccurrences(of: "%@", with: name)
    }

    /// What kind of trouble it is, at a glance.
    static func symbol(_ error: AVError) -> String {
        switch error.code {
        case .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .timedOut: "wifi.exclamationmark"
        case .permissionDenied, .unsupportedKeySystem, .secureConnectionFailed: "lock"
        case .fileNotFound: "questionmark.folder"
        default: "exclamationmark.triangle"
        }
    }

    /// As a sentence of its own.
    static func sentence(_ text: String) -> String {
        let whole = text.prefix(1).uppercased() + text.dropFirst()
        return whole.last.map { ".!?…".contains($0) } == true ? whole : whole + "."
    }

    private static func copy(_ text: String) {
        guard let display = gdk_display_get_default(), let clipboard = gdk_display_get_clipboard(display) else {
            return
        }
        gdk_clipboard_set_text(clipboard, text)
    }
}
