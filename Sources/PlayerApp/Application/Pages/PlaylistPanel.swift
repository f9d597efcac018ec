import DeclarativeUI
import Foundation
import MediaCore
import PlayerViews

/// The films of a window in their order: the one that plays is marked, a double click or Return plays another one,
/// Delete takes out, a drag puts elsewhere, and what is dropped comes where it is dropped.
struct PlaylistPanel: View {
    let list: FilmList
    let desk: FilmDesk
    @State private var chosen: FilmList.Row.ID?

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
                .accessibilityLabel(say("Add…"))
                .help(say("Add…"))
            }
            .padding(.horizontal, 12)
            .padding(.vertical, 8)
            Divider()
            List(selection: $chosen) {
                ForEach(list.rows) { row in
                    PlaylistRow(row: row, isCurrent: row.id == list.current, list: list, desk: desk) {
                        chosen = row.id
                    }
                    .tag(row.id)
                }
            }
            .listStyle(.inset)
            .onKeyPress(keys: [.return, .delete, .deleteForward]) { press in
                guard let chosen else { return .ignored }
                if press.key == .return {
                    list.play(chosen)
                } else {
                    let at = list.rows.firstIndex { $0.id == chosen }
                    list.remove(chosen)
                    // What has come into its place.
                    self.chosen = at.flatMap { list.rows.isEmpty ? nil : list.rows[min($0, list.rows.count - 1)].id }
                }
                return .handled
            }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .onDrop(of: [.fileURL, .url, .utf8PlainText], isTargeted: nil) { items in
            desk.dropped(items, list, before: nil)
        }
    }
}

private struct PlaylistRow: View {
    let row: FilmList.Row
    let isCurrent: Bool
    let list: FilmList
    let desk: FilmDesk
    let choose: @MainActor () -> Void
    @State private var isTargeted = false

    private static let height = 40.0

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
                Text(verbatim: PlayerText.clock(duration)).font(.caption).foregroundStyle(.secondary).monospacedDigit()
            }
        }
        .frame(maxWidth: .infinity, minHeight: Self.height, maxHeight: Self.height)
        .contentShape(Rectangle())
        .overlay(alignment: .top) {
            if isTargeted { Rectangle().fill(Color.accentColor).frame(height: 2) }
        }
        .help(row.problem.map { $0.reason } ?? row.title)
        .accessibilityLabel(row.title)
        .accessibilityValue(isCurrent ? say("Playing") : "")
        .onTapGesture(count: 2) { list.play(row.id) }
        .onDrag {
            choose()
            return NSItemProvider(object: desk.dragged(row.id))
        }
        .onDrop(of: [.fileURL, .url, .utf8PlainText], isTargeted: $isTargeted) { items, point in
            // Onto its lower half: behind it.
            let rows = list.rows
            guard let at = rows.firstIndex(where: { $0.id == row.id }) else { return false }
            let place = point.y < Self.height / 2 ? at : at + 1
            return desk.dropped(items, list, before: place < rows.count ? rows[place].id : nil)
        }
        .contextMenu {
            Button(say("Play")) { list.play(row.id) }
            Button(say("Remove from Playlist")) { list.remove(row.id) }
        }
    }
}
