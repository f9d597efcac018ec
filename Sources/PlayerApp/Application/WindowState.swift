import DeclarativeUI
import Foundation
import MediaCore
import Observation

/// The state that the pages of a window share: its dialogs, and the actions for opened and dropped videos. Main actor.
@MainActor @Observable
final class WindowState {
    var showsFileChooser = false
    /// Whether the file chooser for videos at the end of the playlist is shown.
    var showsAddChooser = false
    var showsURLDialog = false
    /// The text that was typed last, if it has not been opened yet.
    var typedText = ""
    /// The reason why videos could not replace the current ones. It is shown in a dialog.
    var problem: Problem?
    struct Problem: Equatable {
        let title: String
        let error: AVError
        /// Whether the problem is that of the URL that was typed last.
        let isTypedURL: Bool
    }
    var showsProblem: Bool {
        get { problem != nil }
        set { if !newValue { problem = nil } }
    }
    /// The number of times that the playlist was shown over the page. The playlist then gets the keyboard focus.
    var focusRequests = 0
    /// Whether the content of a playlist is being loaded from a server.
    var isLoadingPlaylist = false
    /// Called with the files and URLs that are to be played.
    @ObservationIgnored var open: (@MainActor ([URL]) -> Void)?
    /// Called when a row of the playlist was chosen.
    @ObservationIgnored var onPlay: (@MainActor () -> Void)?
    /// Called with the files and URLs that are to be added to the playlist.
    @ObservationIgnored var add: (@MainActor ([URL], _ before: FilmList.Row.ID?) -> Void)?

    /// The prefix of a dragged row. Rows are dragged as texts that have no meaning elsewhere.
    private static let mark = "zoetrope-row:"
    @ObservationIgnored private let token = UUID().uuidString
    func dragged(_ row: FilmList.Row.ID) -> String { "\(Self.mark)\(token):\(row)" }
    /// Returns the row of this window's playlist that was dragged; nil for anything else.
    func row(in texts: [String]) -> FilmList.Row.ID? {
        let own = "\(Self.mark)\(token):"
        return texts.first.flatMap { $0.hasPrefix(own) ? Int($0.dropFirst(own.count)) : nil }
    }

    /// Handles dropped items.
    /// - Returns: Whether they were accepted.
    func dropped(_ items: [NSItemProvider], _ list: FilmList, before: FilmList.Row.ID?) -> Bool {
        let texts = items.compactMap { String(_item: $0) }
        if let text = texts.first, text.hasPrefix(Self.mark) {
            // A row of another window is not moved.
            guard let id = row(in: texts) else { return false }
            list.move(id, before: before)
            return true
        }
        let urls = WindowState.urls(in: texts)
        guard !urls.isEmpty else { return false }
        add?(urls, before)
        return true
    }

    /// Returns the files and URLs in texts that were dropped or typed, one per line. Paths are accepted too.
    static func urls(in texts: [String]) -> [URL] {
        texts.flatMap { $0.split(whereSeparator: \.isNewline) }.prefix(10_000).compactMap { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            // A list of URIs may contain comments (RFC 2483 §5).
            guard !line.isEmpty, !line.hasPrefix("#"), line.utf8.count <= 16 << 10 else { return nil }
            if line.hasPrefix("/") { return FilePath(bytes: Array(line.utf8))?.url }
            guard let mark = line.range(of: ":/"), let url = URL(lenient: line), url.scheme != nil,
                line[..<mark.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
                )
            else { return nil }
            return url.isFileURL ? (FilePath(url) == nil ? nil : url) : url.host()?.isEmpty == false ? url : nil
        }
    }
}

/// The dialogs of a window. They belong to a part of the window that always exists.
struct FilmDialogs: View {
    @Bindable var windowState: WindowState
    let list: FilmList
    let content: AnyView
    var body: some View {
        content
            .fileImporter(
                isPresented: $windowState.showsFileChooser, allowedContentTypes: [.item], allowsMultipleSelection: true
            ) { result in if case .success(let urls) = result { windowState.open?(urls) } }
            .fileImporter(
                isPresented: $windowState.showsAddChooser, allowedContentTypes: [.item], allowsMultipleSelection: true
            ) {
                result in if case .success(let urls) = result { windowState.add?(urls, nil) }
            }
            .fileDialogDefaultDirectory(FileChooser.folder(for: list.currentRow?.entry.url))
            .sheet(isPresented: $windowState.showsURLDialog) { URLDialog(windowState: windowState) }
            .alert(windowState.problem?.title ?? "", isPresented: $windowState.showsProblem) {
                if windowState.problem?.isTypedURL == true {
                    Button(localized("Edit URL…")) { windowState.showsURLDialog = true }
                }
                Button(localized("Close"), role: .cancel) {}
            } message: {
                if let error = windowState.problem?.error {
                    VStack(spacing: 6) {
                        Text(verbatim: FailurePage.sentence(error.reason))
                        if !error.suggestion.isEmpty {
                            Text(verbatim: FailurePage.sentence(error.suggestion))
                        }
                    }
                }
            }
    }
}

/// The dialog in which the user types a URL.
private struct URLDialog: View {
    let windowState: WindowState
    @State private var text: String
    @Environment(\.dismiss) private var dismiss

    init(windowState: WindowState) {
        self.windowState = windowState
        _text = State(initialValue: windowState.typedText)
    }

    private var url: URL? { WindowState.urls(in: [text]).first }

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: localized("Open URL")).font(.headline)
            TextField(localized("https://… or a file path"), text: $text).frame(minWidth: 360).onSubmit { open() }
            HStack(spacing: 12) {
                Spacer(minLength: 0)
                Button(localized("Cancel")) { dismiss() }
                Button(localized("Open")) { open() }.buttonStyle(.borderedProminent).disabled(url == nil)
            }
        }
        .padding(20)
        .navigationTitle(localized("Open URL"))
    }

    private func open() {
        guard let url else { return }
        dismiss()
        windowState.typedText = text
        windowState.open?([url])
    }
}
