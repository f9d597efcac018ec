import DeclarativeUI
import Foundation
import MediaCore
import PlayerControls
import PlayerViews

/// The films of a window in their order: the one that plays is marked, a double click or Return plays another one,
/// Delete takes out, a drag puts elsewhere, and what is dropped comes where it is dropped.
struct PlaylistPanel: View {
    let list: FilmList
    let desk: FilmDesk
    @State private var chosen: FilmList.Row.ID?
    /// Something is dragged over the panel, and over none of its rows.
    @State private var isTargeted = false
    @FocusState private var isListFocused: Bool

    var body: some View {
        VStack(spacing: 0) {
            HStack(spacing: 8) {
                Text(verbatim: say("Playlist")).font(.headline)
                Text(verbatim: "\(list.rows.count)").foregroundStyle(.secondary).monospacedDigit()
                Spacer(minLength: 0)
                Button {
                    desk.asksToAdd = true
                } label: {
                    Image(systemName: "plus").frame(width: 24, height: 24).contentShape(Rectangle())
                }
                .buttonStyle(.plain)
                .accessibilityLabel(say("Add to Playlist…"))
                .help(say("Add to Playlist…"))
            }
            .padding(.horizontal, 12)
            .padding(.vertical, 8)
            Divider()
            List(selection: $chosen) {
                ForEach(list.rows) { row in
                    PlaylistRow(
                        row: row, isCurrent: row.id == list.current,
                        isEndTargeted: isTargeted && row.id == list.rows.last?.id, list: list, desk: desk
                    ) {
                        chosen = row.id
                    }
                    .tag(row.id)
                    .listRowInsets(EdgeInsets(top: 0, leading: 12, bottom: 0, trailing: 12))
                }
            }
            .listStyle(.inset)
            .focused($isListFocused)
            .onChange(of: desk.calls) {
                if chosen == nil { chosen = list.current }
                isListFocused = true
            }
            .onKeyPress(keys: [.return, .delete, .deleteForward]) { press in
                guard let chosen else { return .ignored }
                if press.key == .return {
                    list.play(chosen)
                    desk.played?()
                } else {
                    let at = list.rows.firstIndex { $0.id == chosen }
                    list.remove(chosen)
                    // What has come into its place.
                    self.chosen = at.flatMap { list.rows.isEmpty ? nil : list.rows[min($0, list.rows.count - 1)].id }
                }
                return .handled
            }
        }
        // As wide as it is told to be, however long its titles are.
        .frame(minWidth: 0, idealWidth: 1, maxWidth: .infinity, maxHeight: .infinity)
        .onDrop(of: [.fileURL, .url, .utf8PlainText], isTargeted: $isTargeted) { items in
            desk.dropped(items, list, before: nil)
        }
    }
}

private struct PlaylistRow: View {
    let row: FilmList.Row
    let isCurrent: Bool
    /// What is dragged comes behind this row, the last one.
    let isEndTargeted: Bool
    let list: FilmList
    let desk: FilmDesk
    let choose: @MainActor () -> Void
    @State private var isAboveTargeted = false
    @State private var isBelowTargeted = false

    /// All of a row takes drops: a gap between two would be none of them.
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
        .accessibilityValue(isCurrent ? say("Playing") : "")
        .onTapGesture(count: 2) { play() }
        .onDrag {
            choose()
            return NSItemProvider(object: desk.dragged(row.id), title: row.title)
        }
        .background {
            // What is dropped onto its upper half comes before it, onto the lower one behind it.
            VStack(spacing: 0) {
                half($isAboveTargeted, behind: 0)
                half($isBelowTargeted, behind: 1)
            }
        }
        .contextMenu {
            Button(say("Play")) { play() }
            Button(say("Remove from Playlist")) { list.remove(row.id) }
        }
    }
    private func play() {
        list.play(row.id)
        desk.played?()
    }
    /// Where what is dragged would come.
    private var line: some View { Rectangle().fill(Color.accentColor).frame(height: 2) }

    private func half(_ isTargeted: Binding<Bool>, behind: Int) -> some View {
        Color.clear.contentShape(Rectangle()).onDrop(
            of: [.fileURL, .url, .utf8PlainText], isTargeted: isTargeted
        ) { items in
            let rows = list.rows
            guard let at = rows.firstIndex(where: { $0.id == row.id }) else { return false }
            return desk.dropped(items, list, before: at + behind < rows.count ? rows[at + behind].id : nil)
        }
    }
}
