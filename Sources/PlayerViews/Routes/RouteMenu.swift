import DeclarativeUI
import DesktopServices
import Foundation
import MediaEngine
import Presentation

/// A menu of this computer and the cast devices. The selected one plays the video.
struct RouteMenu: View {
    let player: @MainActor () -> AVPlayer?
    var active: Color?
    var passive: Color?

    var body: some View {
        let routes = CastRoutes.shared
        let current = routes.current(of: player())
        OptionsMenu(PlayerText.playOn) {
            var items = [
                OptionsMenuItem.choice(PlayerText.thisComputer, isOn: current == nil) {
                    if let player = player() { routes.takeBack(player) }
                }
            ]
            for renderer in routes.renderers {
                items.append(
                    .choice(renderer.name, isOn: renderer.id == current?.id) {
                        if let player = player() { routes.send(player, to: renderer) }
                    })
            }
            // A device that plays stays in the list, even if the search does not find it at the moment.
            if let current, !routes.renderers.contains(where: { $0.id == current.id }) {
                items.append(.choice(current.name, isOn: true) {})
            }
            return items
        } label: {
            Image(systemName: "airplayvideo").font(.system(size: IconSize.control)).foregroundColor(
                current == nil ? passive : active ?? .accentColor)
        }
        .help(PlayerText.playOn)
    }
}

/// A notice over the video. While a cast device plays the video, the notice shows the device's name. If casting has
/// ended with an error, it shows the reason for 8 seconds.
struct RouteNotice: View {
    let transport: PlayerTransport
    var body: some View {
        ZStack {
            if let route = transport.route.name {
                ZStack {
                    Shade.cover
                    VStack(spacing: Space.wide) {
                        Image(systemName: "airplayvideo").font(.system(size: IconSize.hero)).foregroundColor(
                            Shade.faintInk)
                        Text(verbatim: PlayerText.playing(on: route)).font(.headline).lineLimit(2)
                            .multilineTextAlignment(.center)
                    }
                    .padding(Space.page)
                }
            } else if let problem = transport.route.problem {
                Text(verbatim: PlayerWords.onScreen(problem))
                    .font(.callout).lineLimit(4).multilineTextAlignment(.center)
                    .padding(.horizontal, Space.wide).padding(.vertical, Space.regular)
                    .background(RoundedRectangle(cornerRadius: Radius.card).fill(Shade.label))
                    .padding(Space.edge)
            }
        }
        .allowsHitTesting(false)
    }
}
