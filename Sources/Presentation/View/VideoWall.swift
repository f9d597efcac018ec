import GTK
import MediaCore
import MediaEngine

/// The views of a window, in a grid.
@MainActor
final class VideoWall {
    private let grid = GTKGrid()
    private(set) var views: [PlayerView] = []
    /// Called for every displayed frame with its host time.
    var onPresent: ((HostTime) -> Void)? { didSet { for view in views { view.onPresent = onPresent } } }

    init(_ players: [AVPlayer], title: String) {
        let columns = Int(Double(players.count).squareRoot().rounded(.up))
        grid.makeHomogeneous()
        for (index, player) in players.enumerated() {
            guard let view = PlayerView() else { continue }
            // The window itself shows the text of a single video, because the view of an audio item without artwork is
            // hidden.
            view.showsTrackFailures = players.count > 1
            view.player = player
            view.hidesPointer = .everywhere
            views.append(view)
            grid.attach(view.widget, column: Int32(index % max(columns, 1)), row: Int32(index / max(columns, 1)))
        }
        setTitle(title)
    }

    var widget: GTKWidget { grid.widget }
    var isVisible: Bool {
        get { grid.isVisible }
        set { grid.isVisible = newValue }
    }

    func setTitle(_ title: String) {
        for (index, view) in views.enumerated() {
            view.accessibilityLabel = views.count == 1 ? title : "\(title) \(index + 1)"
        }
    }
    func setCovered(_ isCovered: Bool) { for view in views { view.isCovered = isCovered } }
    /// Sets the height of a bar at the bottom.
    /// - Parameter height: The height in points.
    func setCoveredBottom(_ height: Double) { for view in views { view.coveredBottom = height } }

    func takePlayersOut() { for view in views { view.player = nil } }
    func removeViews() { views = [] }
}
