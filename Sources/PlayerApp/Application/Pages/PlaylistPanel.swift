import DeclarativeUI
import Foundation
import MediaCore
import PlayerControls

/// The playlist of a window. The current video is marked.
///
/// A double click or Return plays a row, and Delete removes it. A drag moves a row, and other dropped items are added
/// at the position of the drop.
struct PlaylistPanel: View {
    let list: FilmList
    let windowState: WindowState
    @State private var chosen: FilmList.Row.ID?
    /// Whether something is dragged over the panel, but not over one of its rows.
    @State private var isTargeted = false
    @FocusState private var isListFocused: Bool

    var body: some View {
        VStack(spacing: 0) {
            HStack(spacing: 8) {
                Text(verbatim: localized("Playlist")).font(.headline)
                Text(verbatim: "\(list.rows.count)").foregroundStyle(.secondary).monospacedDigit()
                Spacer(minLength: 0)
                Button {
                    windowState.showsAddChooser = true
                } label: {
                    Image(systemName: "plus").frame(width: 24, height: 24).contentShape(Rectangle())
                }
                .buttonStyle(.plain)
                .accessibilityLabel(localized("Add to Playlist…"))
                .help(localized("Add to Playlist…"))
            }
            .padding(.horizontal, 12)
            .padding(.vertical, 8)
            Divider()
            List(selection: $chosen) {
                ForEach(list.rows) { row in
                    PlaylistRow(
                        row: row, isCurrent: row.id == list.current,
                        isEndTargeted: isTargeted && row.id == list.rows.last?.id, list: list, windowState: windowState
                    ) {
                        chosen = row.id
                    }
                    .tag(row.id)
                    .listRowInsets(EdgeInsets(top: 0, leading: 12, bottom: 0, trailing: 12))
                }
            }
            .listStyle(.inset)
            .focused($isListFocused)
            .onChange(of: windowState.focusRequests) {
                if chosen == nil { chosen = list.current }
                isListFocused = true
            }
            .onKeyPress(keys: [.return, .delete, .deleteForward]) { press in
                guard let chosen else { return .ignored }
                if press.key == .return {
                    // A held key does not start the video again and again.
                    guard press.phase != .repeat else { return .handled }
                    list.play(chosen)
                    windowState.onPlay?()
                } else {
                    let at = list.rows.firstIndex { $0.id == chosen }
                    list.remove(chosen)
                    // Select the row that is now at this position.
                    self.chosen = at.flatMap { list.rows.isEmpty ? nil : list.rows[min($0, list.rows.count - 1)].id }
                }
                return .handled
            }
        }
        // The panel has a fixed width, however long its titles are.
        .frame(minWidth: 0, idealWidth: 1, maxWidth: .infinity, maxHeight: .infinity)
        .onDrop(of: [.fileURL, .url, .utf8PlainText], isTargeted: $isTargeted) { items in
            windowState.dropped(items, list, before: nil)
        }
    }
}

private struct PlaylistRow: View {
    let row: FilmList.Row
    let isCurrent: Bool
    /// Whether a dragged item would be added after this row, which is the last one.
    let isEndTargeted: Bool
    let list: FilmList
    let windowState: WindowState
    let choose: @MainActor () -> Void
    @State private var isAboveTargeted = false
    @State private var isBelowTargeted = false

    /// The height of a row. The whole row accepts drops, so that there is no gap between two rows.
    private static let height = 48.0

    var body: some View {
        HStack(spacing: 8) {
            ZStack {
                if row.problem != nil {
                    Image(systemName: "exclamationmark.triangle").foregroundStyle(.secondary)
                } else if isCurrent {
                    Image(systemName: "play.fill").foregroundColor(.accentColor)
                }
            }
            .font(.system(size: 12))
            .frame(width: 16)
            .accessibilityHidden(true)
            Text(verbatim: row.title).fontWeight(isCurrent ? .semibold : .regular).lineLimit(1)
                .truncationMode(.middle)
            Spacer(minLength: 0)
            if let duration = row.entry.duration {
                Text(verbatim: TimeText.clock(duration)).font(.caption).foregroundStyle(.secondary).monospacedDigit()
            }
        }
        .frame(maxWidth: .infinity, minHeight: Self.height, maxHeight: Self.height)
        .contentShape(Rectangle())
        .overlay(alignment: .top) { if isAboveTargeted { line } }
        .overlay(alignment: .bottom) { if isBelowTargeted || isEndTargeted { line } }
        .help(row.problem.map { $0.reason } ?? row.title)
        .accessibilityLabel(row.title)
        .accessibilityValue(isCurrent ? localized("Playing") : "")
        .onTapGesture(count: 2) { play() }
        .onDrag {
            choose()
            return NSItemProvider(object: windowState.dragged(row.id), title: row.title)
        }
        .background {
            // An item that is dropped on the upper half is added before the row, and on the lower half after it.
            VStack(spacing: 0) {
                half($isAboveTargeted, behind: 0)
                half($isBelowTargeted, behind: 1)
            }
        }
        .contextMenu {
            Button(localized("Play")) { play() }
            Button(localized("Remove from Playlist")) { list.remove(row.id) }
        }
    }
    private func play() {
        list.play(row.id)
        windowState.onPlay?()
    }
    /// The line at the position at which a dragged item would be added.
    private var line: some View { Rectangle().fill(Color.accentColor).frame(height: 2) }

    private func half(_ isTargeted: Binding<Bool>, behind: Int) -> some View {
        Color.clear.contentShape(Rectangle()).onDrop(
            of: [.fileURL, .url, .utf8PlainText], isTargeted: isTargeted
        ) { items in
            let rows = list.rows
            guard let at = rows.firstIndex(where: { $0.id == row.id }) else { return false }
            return windowState.dropped(items, list, before: at + behind < rows.count ? rows[at + behind].id : nil)
        }
    }
}
