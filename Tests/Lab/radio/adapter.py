"""An adapter: the controller that a Linux kernel is given over a serial line."""

import asyncio

from air import KINDS, Error, Kind, Radio
from bumble import hci, ll
from bumble.transport.common import PacketParser

Report = hci.HCI_LE_Advertising_Report_Event.Report

# A link of which the other end was never heard ends after six intervals.
NOT_ESTABLISHED_SECONDS = 6 * 0.03
FILTER_ACCEPT_LIST_SIZE = 16
# The first thing that a kernel says to an adapter.
RESET = bytes.fromhex('01030c00')


class Adapter(Radio):
    """What Bumble's controller leaves out and Linux relies on."""

    filter_accept_list_size = FILTER_ACCEPT_LIST_SIZE

    def __init__(self, index, air, max_links, log):
        address = hci.Address(
            f'02:00:00:00:00:{index + 1:02X}', hci.Address.PUBLIC_DEVICE_ADDRESS
        )
        super().__init__(f'adapter {index}', air, address)
        self.label = f'a{index}'
        self.max_links = max_links
        self.log = log
        self.accepted = set()
        self.reported = set()
        self.held = {}
        self.establishing = set()
        # A firmware that hangs answers nothing at all.
        self.hung = False
        # Until a kernel attaches it, and from `unplug` until one does so again.
        self.unplugged = True

    def serve(self, reader, writer):
        """Be the controller at the other end of an H4 stream.

        When the machine is switched off its links are lost. What they would bring to the next one
        before its reset would fill a serial line that is not read yet, for good.
        """
        self.unplug()
        self.set_packet_sink(Sink(writer))
        self.log(self.label, 'plugged')

        async def pump():
            try:
                while data := await reader.read(4096):
                    self.feed(data)
            finally:
                self.unplug()

        return pump()

    def fall_out_of_step(self):
        """The kernel may have been cut off in the middle of a packet: wait for its reset.

        What it had still to send to the adapter that was there before comes to this one.
        """
        self.parser = None
        self.skipped = b''

    def feed(self, data):
        """Take bytes of the stream, from the kernel's reset on."""
        if not self.parser:
            before, found, after = (self.skipped + data).partition(RESET)
            self.skipped = before[1 - len(RESET) :]
            if not found:
                return
            self.parser, data = PacketParser(self), found + after
        self.parser.feed_data(data)

    @property
    def is_dead(self):
        return self.hung or self.unplugged

    def on_packet(self, packet):
        if packet == RESET:
            self.unplugged = False
        if not self.is_dead:
            super().on_packet(packet)

    def send_hci_packet(self, packet):
        if not self.is_dead:
            super().send_hci_packet(packet)

    def unplug(self):
        """Gone from the machine: links end, nothing more is heard or sent."""
        self.unplugged = True
        self.fall_out_of_step()
        self.link.lose(self)
        self.forget()

    # What the kernel sends, which a stalled link keeps, and its buffers with it.

    def is_stuck(self, link):
        return link.handle in self.establishing or self.link.at(link.peer_address).stalled

    def on_hci_acl_data_packet(self, packet):
        link = self.find_le_connection_by_handle(packet.connection_handle)
        if link and self.is_stuck(link):
            self.held.setdefault(link.handle, []).append(packet)
        else:
            super().on_hci_acl_data_packet(packet)

    def release(self, address):
        """Let through what was held for a camera while it was stalled."""
        if link := self.le_connections.get(address):
            for packet in self.held.pop(link.handle, []):
                super().on_hci_acl_data_packet(packet)

    def on_le_disconnected(self, connection, reason):
        self.held.pop(connection.handle, None)
        self.establishing.discard(connection.handle)
        super().on_le_disconnected(connection, reason)

    # Starting over.

    def forget(self):
        self.le_legacy_advertiser.stop()
        self.le_scan_enable = False
        self.pending_le_connection = None
        self.accepted.clear()

    def on_hci_reset_command(self, command):
        reason = Error.REMOTE_DEVICE_TERMINATED_CONNECTION_DUE_TO_POWER_OFF_ERROR
        for link in list(self.le_connections.values()):
            link.send_ll_control_pdu(ll.TerminateInd(reason))
        self.le_connections.clear()
        self.held.clear()
        self.establishing.clear()
        self.forget()
        return super().on_hci_reset_command(command)

    # Advertisements that the adapter sends go to the log, each once.

    def on_hci_le_set_advertising_enable_command(self, command):
        if command.advertising_enable:
            beacon = self.le_legacy_advertiser
            self.log(
                self.label,
                f'advertisement/{KINDS[beacon.advertising_type].name}/'
                f'{beacon.advertising_interval_min * 0.625:.0f}ms/{beacon.address}',
                beacon.advertising_data,
            )
        return super().on_hci_le_set_advertising_enable_command(command)

    # The filter accept list.

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.accepted.clear()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        if len(self.accepted) >= self.filter_accept_list_size:
            return hci.HCI_StatusReturnParameters(Error.MEMORY_CAPACITY_EXCEEDED_ERROR)
        self.accepted.add(bytes(command.address))
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self.accepted.discard(bytes(command.address))
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)

    # Scanning, and connecting on an advertisement.

    def on_hci_le_set_scan_enable_command(self, command):
        self.reported.clear()
        self.log(self.label, 'scan/on' if command.le_scan_enable else 'scan/off')
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_create_connection_command(self, command):
        self.log(self.label, f'connect/{command.peer_address}')
        if len(self.le_connections) >= self.max_links:
            self._send_hci_command_status(Error.CONNECTION_LIMIT_EXCEEDED_ERROR, command.op_code)
        else:
            super().on_hci_le_create_connection_command(command)

    def on_hci_le_create_connection_cancel_command(self, command):
        self.log(self.label, 'cancel')
        if not self.pending_le_connection:
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        wanted, self.pending_le_connection = self.pending_le_connection, None
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=wanted.peer_address_type,
                peer_address=wanted.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            ),
        )
        return hci.HCI_StatusReturnParameters(Error.SUCCESS)

    def on_advertisement(self, address, kind, data, response):
        if self.is_dead:
            return False
        wanted = self.pending_le_connection
        if wanted and kind == Kind.ADV_IND and wanted.peer_address == address:
            return self.initiate(address)
        if self.le_scan_enable:
            self.report(address, kind, data, response)
        return False

    def initiate(self, address):
        """Answer an advertisement with a connection request."""
        conditions = self.link.at(address)
        if conditions.deaf:
            return False
        self.create_le_connection(address)
        if self.link.refuses(address):
            link = self.le_connections[address]
            self.establishing.add(link.handle)
            asyncio.get_running_loop().call_later(
                NOT_ESTABLISHED_SECONDS, self.refuse, link, conditions.refusal
            )
        return True

    def refuse(self, link, reason):
        """End a link that was never more than begun."""
        if self.le_connections.get(link.peer_address) is link:
            link.send_ll_control_pdu(ll.TerminateInd(reason))
            self.on_le_disconnected(link, reason)

    def report(self, address, kind, data, response):
        if self.le_scanning_filter_policy & 1 and bytes(address) not in self.accepted:
            return
        reports = [(kind, data)]
        if response and self.le_scan_type == 1:
            reports.append((Kind.SCAN_RSP, response))
        for kind, data in reports:
            if self.filter_duplicates:
                if (bytes(address), kind) in self.reported:
                    continue
                self.reported.add((bytes(address), kind))
            report = Report(kind, address.address_type, address, data, -50)
            self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))


class Sink:
    """The stream's end to which HCI packets go."""

    def __init__(self, writer):
        self.writer = writer

    def on_packet(self, packet):
        self.writer.write(packet)
