import Zoetrope

/// The control overlay, a column without spacing: the top region, the middle row, the bottom region.
struct ControlWidget: View {
    var body: some View {
        WithService(StatusService.self) { status in
            WithService(ControlService.self) { service in
                Controls(
                    service: service, looks: service.looks, status: .init(status.status),
                    isShown: service.isBeingPresented
                )
                .opacity(service.looks.opacity)
                // Invisible controls can't be pressed.
                .allowsHitTesting(service.looks.opacity > 0)
                .onAppear { service.hideLater() }
            }
        }
    }
}

private struct Controls: View {
    let service: ControlService
    let looks: ControlLooks
    let status: ControlService.ScreenStatus
    let isShown: Bool

    var body: some View {
        ZStack {
            if isShown, let shadow = looks.shadow {
                shadow.frame(maxWidth: .infinity, maxHeight: .infinity).allowsHitTesting(false).transition(.opacity)
            }
            VStack(spacing: 0) {
                region(.top)
                HStack(spacing: 0) {
                    region(.left)
                    Spacer(minLength: 0)
                    region(.center)
                    Spacer(minLength: 0)
                    region(.right)
                }
                .frame(maxHeight: .infinity)
                region(.bottom)
            }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    @ViewBuilder private func region(_ direction: ControlService.RawDirection) -> some View {
        let key = ControlLooks.Region(status: status, direction: direction)
        if isShown, !looks.isEmpty(key) {
            RegionView(service: service, looks: looks, region: key)
                // The views of each status have their own identity.
                .id(status)
                .transition(looks.transition(key))
        }
    }
}

private struct RegionView: View {
    let service: ControlService
    let looks: ControlLooks
    let region: ControlLooks.Region

    var body: some View {
        VStack(spacing: 0) {
            ForEach(region.direction.slots, id: \.self) { looks.slot(.init(status: region.status, direction: $0)) }
        }
        // The modifier applies to the controls only, not to the space between them.
        .onHover { service.pointer($0, region.direction) }
        .padding(looks.insets(region))
        .frame(maxWidth: isRow ? .infinity : nil)
        // The background is behind the controls and does not block the gestures on the video.
        .background { looks.shadow(region)?.allowsHitTesting(false) }
    }

    private var isRow: Bool { region.direction == .top || region.direction == .bottom }
}
